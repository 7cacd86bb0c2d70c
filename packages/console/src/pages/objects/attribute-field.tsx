// The field of an attribute in a form, by its kind.

import { Described } from '../../elements/described.tsx';
import { Choice, TextField } from '../../elements/field.tsx';
import { ReferenceField } from '../../elements/reference-field.tsx';
import { parseTime } from '../../elements/time.tsx';
import type { Model, ModelAttribute } from '../../model/model.ts';

interface AttributeFieldProps {
  attribute: ModelAttribute;
  model: Model;
  value: string;
  onInput(value: string): void;
  error?: string | undefined;
}

export function AttributeField({ attribute, model, value, onInput, error }: AttributeFieldProps) {
  const { kind, label, description, isRequired, maxLength, values, reference } = attribute;
  const shared = { label: isRequired ? `${label} *` : label, value, hint: <Described text={description} />, error };
  if (kind === 'reference') return <ReferenceField {...shared} type={model.byName.get(reference!)} onInput={onInput} />;
  if (kind === 'code' && values?.length)
    return <Choice {...shared} onChange={onInput} choices={choicesOf(values, isRequired)} />;
  if (kind === 'boolean')
    return <Choice {...shared} onChange={onInput} choices={choicesOf(['true', 'false'], isRequired)} />;
  if (kind === 'dateTime')
    return (
      <TextField
        {...shared}
        onInput={onInput}
        placeholder="2026-11-30T12:00:00"
        hint={<Described text={dateHint(value, description)} />}
      />
    );
  const isLong =
    kind === 'text' && attribute.name !== 'externalObjectKey' && (maxLength === undefined || maxLength > 128);
  return <TextField {...shared} onInput={onInput} {...(isLong ? { rows: 3 } : {})} />;
}

const booleans: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

function choicesOf(values: readonly string[], isRequired: boolean) {
  const choices = values.map((value) => ({ value, label: booleans[value] ?? value }));
  return isRequired ? choices : [{ value: '', label: '–' }, ...choices];
}

/** Dates of objects are in UTC: the field says what that is here. */
function dateHint(value: string, description: string): string {
  const date = value === '' ? undefined : parseTime(value);
  if (!date || Number.isNaN(date.getTime())) return `${description} In UTC.`.trim();
  return `In UTC. Here it is ${date.toLocaleString()}.`;
}
