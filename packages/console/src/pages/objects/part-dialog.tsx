// Adds a sub-object to its owner, or changes one, without leaving the page of the owner.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Dialog } from '../../elements/dialog.tsx';
import { notify } from '../../elements/notices.tsx';
import type { Model, ModelType } from '../../model/model.ts';
import { request } from '../../service/request.ts';
import { useViolations } from '../../service/use-violations.ts';
import { AffectedSubscriptions } from './affected-subscriptions.tsx';
import { AttributeField } from './attribute-field.tsx';
import {
  changesOf,
  type Draft,
  draftOf,
  editableAttributes,
  isComplete,
  newAttributes,
  sentAttributes,
} from './draft.ts';
import type { WholeObject } from './load-object.ts';

interface PartDialogProps {
  type: ModelType;
  model: Model;
  ownerKey: number;
  /** Undefined: a new one. */
  part: WholeObject | undefined;
  onClose(): void;
  onSaved(): void;
}

export function PartDialog({ type, model, ownerKey, part, onClose, onSaved }: PartDialogProps) {
  const attributes = part ? editableAttributes(type) : newAttributes(type).filter(({ isOwner }) => !isOwner);
  const [draft, setDraft] = useState<Draft>(() => (part ? draftOf(attributes, part) : {}));
  const { errorOf, attempt } = useViolations(attributes.map(({ name }) => name));
  const changes = part
    ? changesOf(attributes, part, draft).changes
    : { ...sentAttributes(attributes, draft), [type.ownerAttribute!]: ownerKey };
  const isReady = part ? Object.keys(changes).length > 0 : isComplete(attributes, draft);
  const save = () =>
    attempt(async () => {
      if (part) await request(`/${type.name}/${part.key}`, { method: 'PUT', body: changes });
      else await request(`/${type.name}`, { method: 'POST', body: changes });
      notify(part ? `${type.label} ${part.key} is saved.` : `${type.label} is added.`);
      onSaved();
    });
  return (
    <Dialog
      title={part ? `Change ${type.label.toLowerCase()} ${part.key}` : `Add ${type.label.toLowerCase()}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={save}>
            {part ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      {attributes.map((attribute) => (
        <AttributeField
          key={attribute.name}
          attribute={attribute}
          model={model}
          value={draft[attribute.name] ?? ''}
          onInput={(value) => setDraft({ ...draft, [attribute.name]: value })}
          error={errorOf(attribute.name)}
        />
      ))}
      {isReady && (
        <AffectedSubscriptions
          type={type}
          change={part ? { operation: 'U', objectKey: part.key, changes } : { operation: 'C', changes }}
        />
      )}
    </Dialog>
  );
}
