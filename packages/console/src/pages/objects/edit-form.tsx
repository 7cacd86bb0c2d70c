// The form that changes an object in place. Only what was changed is sent, and only if nobody else has changed the object
// meanwhile.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { notify } from '../../elements/notices.tsx';
import type { Model, ModelType } from '../../model/model.ts';
import { setQuery } from '../../routing/location.ts';
import { requestAnswer } from '../../service/request.ts';
import { ServiceError } from '../../service/service-error.ts';
import { useViolations } from '../../service/use-violations.ts';
import { AffectedSubscriptions } from './affected-subscriptions.tsx';
import { AttributeField } from './attribute-field.tsx';
import { Conflict } from './conflict.tsx';
import { changesOf, type Draft, draftOf, editableAttributes } from './draft.ts';
import type { WholeObject } from './load-object.ts';

interface EditFormProps {
  type: ModelType;
  model: Model;
  object: WholeObject;
  etag: string;
  onSaved(): void;
}

export function EditForm({ type, model, object, etag, onSaved }: EditFormProps) {
  const attributes = editableAttributes(type);
  const [draft, setDraft] = useState<Draft>(() => draftOf(attributes, object));
  const [isStale, setStale] = useState(false);
  const { errorOf, attempt } = useViolations(attributes.map(({ name }) => name));
  const { changes, mistakes } = changesOf(attributes, object, draft);
  const names = Object.keys(changes);
  const save = (ifMatch: string | undefined) =>
    attempt(async () => {
      let saved: string | undefined;
      try {
        saved = await put(type, object.key, changes, ifMatch);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 412) throw error;
        setStale(true);
        return;
      }
      const before = Object.fromEntries(names.map((name) => [name, object[name]]));
      notify(`${type.label} ${object.key} is saved.`, {
        label: 'Undo',
        run: () => put(type, object.key, before, saved).then(onSaved),
      });
      onSaved();
    });
  return (
    <form
      class="form object-form"
      onSubmit={(event) => {
        event.preventDefault();
        save(etag);
      }}
    >
      {isStale && <Conflict {...{ type, object, changes }} onOverwrite={() => save(undefined)} onDiscard={onSaved} />}
      {attributes.map((attribute) => (
        <AttributeField
          key={attribute.name}
          attribute={attribute}
          model={model}
          value={draft[attribute.name] ?? ''}
          onInput={(value) => setDraft({ ...draft, [attribute.name]: value })}
          error={mistakes[attribute.name] ?? errorOf(attribute.name)}
        />
      ))}
      {names.length > 0 && (
        <AffectedSubscriptions type={type} change={{ operation: 'U', objectKey: object.key, changes }} />
      )}
      <div class="actions">
        <Button
          type="submit"
          kind="primary"
          onClick={() => undefined}
          disabled={names.length === 0 || Object.keys(mistakes).length > 0}
        >
          Save
        </Button>
        <Button onClick={() => setQuery({ edit: undefined }, { replace: true })}>Cancel</Button>
      </div>
    </form>
  );
}

/** Returns the new ETag. */
async function put(type: ModelType, key: number, body: unknown, ifMatch: string | undefined) {
  const sent: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  const { headers } = await requestAnswer(`/${type.name}/${key}`, { method: 'PUT', body, headers: sent });
  return headers.get('etag') ?? undefined;
}
