// The choice of one change of an object, or of all that are kept.

import { Choice } from '../../elements/field.tsx';
import { localTime, parseTime } from '../../elements/time.tsx';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import type { Change } from '../notifications/change-of.ts';

interface ChangeChoiceProps {
  objectType: string;
  /** Empty: of the object of the change, if one is chosen. */
  objectKey: string;
  value: string;
  onChange(change: string): void;
}

const shownMax = 50;

export function ChangeChoice({ objectType, objectKey, value, onChange }: ChangeChoiceProps) {
  const loaded = useLoaded(
    async (signal) => {
      if (objectType === '' || !/^\d+$/.test(objectKey)) return [];
      const query = { objectType, objectKey, limit: shownMax };
      return (await request<{ changes: Change[] }>('/changes', { query, signal })).changes;
    },
    [objectType, objectKey],
  );
  const choices = (loaded.value ?? []).map((change) => ({ value: String(change.id), label: labelOf(change) }));
  // A link may name one that is older, or of a part of the object.
  if (value !== '' && !choices.some((choice) => choice.value === value))
    choices.unshift({ value, label: `Change ${value}` });
  return (
    <Choice
      label="Change"
      value={value}
      onChange={onChange}
      choices={[{ value: '', label: 'All that are kept' }, ...choices]}
    />
  );
}

function labelOf({ event, occurredAt, user, changedAttributes }: Change): string {
  const attributes = changedAttributes.map(({ name, new: value }) =>
    value !== null && typeof value === 'object' ? name : `${name} = ${value}`,
  );
  const names = event.endsWith('.U') ? `: ${attributes.join(', ')}` : '';
  const text = `${localTime(parseTime(occurredAt))} ${event} by ${user?.userCode ?? 'SQL'}${names}`;
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
