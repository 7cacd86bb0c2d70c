// The elements of a collection, as a table in the page of their owner.

import { useState } from 'preact/hooks';
import { AttributeValue, numberKinds } from '../../elements/attribute-value.tsx';
import { Button } from '../../elements/button.tsx';
import { confirmAction } from '../../elements/dialog.tsx';
import { notify } from '../../elements/notices.tsx';
import { Section } from '../../elements/page.tsx';
import type { Model, ModelAttribute, ModelType } from '../../model/model.ts';
import { Link } from '../../routing/link.tsx';
import { request } from '../../service/request.ts';
import { AffectedSubscriptions } from './affected-subscriptions.tsx';
import type { WholeObject } from './load-object.ts';
import { listableAttributes } from './object-columns.tsx';
import { PartDialog } from './part-dialog.tsx';

interface SubObjectsProps {
  collection: ModelAttribute;
  model: Model;
  ownerKey: number;
  elements: readonly WholeObject[];
  mayEdit: boolean;
  onSaved(): void;
}

const bookkeeping = new Set(['createdDate', 'modifiedDate', 'createdById', 'changedById', 'externalObjectKey']);

export function SubObjects({ collection, model, ownerKey, elements, mayEdit, onSaved }: SubObjectsProps) {
  // `new`: the dialog for a new element is open.
  const [edited, setEdited] = useState<WholeObject | 'new'>();
  const type = model.byName.get(collection.element!);
  if (!type) return null;
  const isPart = mayEdit && collection.isOwned !== false && type.ownerAttribute !== undefined;
  const attributes = listableAttributes(type)
    .filter(
      ({ name, isOwner }) => !bookkeeping.has(name) && !isOwner && elements.some((element) => element[name] !== null),
    )
    // People know a part by what it refers to, such as a port call by its port.
    .sort((one, other) => Number(other.kind === 'reference') - Number(one.kind === 'reference'));
  return (
    <Section
      title={`${collection.label} (${elements.length})`}
      actions={isPart && type.access.canCreate && <Button onClick={() => setEdited('new')}>Add</Button>}
    >
      {elements.length === 0 ? (
        <p class="faint">None.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <div class="wide" tabIndex={0} role="region" aria-label={collection.label}>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">key</th>
                {attributes.map(({ name, kind }) => (
                  <th key={name} scope="col" class={numberKinds.has(kind) ? 'number' : undefined}>
                    {name}
                  </th>
                ))}
                {isPart && (
                  <th scope="col">
                    <span class="hidden">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {elements.map((element) => (
                <tr key={element.key}>
                  <td>
                    <Link class="mono" to={`/objects/${type.name}/${element.key}`}>
                      {element.key}
                    </Link>
                  </td>
                  {attributes.map((attribute) => (
                    <td key={attribute.name} class={numberKinds.has(attribute.kind) ? 'number' : undefined}>
                      <AttributeValue attribute={attribute} value={element[attribute.name]} />
                    </td>
                  ))}
                  {isPart && (
                    <td class="row-actions">
                      <Button
                        kind="quiet"
                        onClick={() => setEdited(element)}
                        label={`Edit ${type.label} ${element.key}`}
                      >
                        Edit
                      </Button>
                      <Button
                        kind="quiet"
                        onClick={() => removePart(type, element, onSaved)}
                        label={`Remove ${type.label} ${element.key}`}
                      >
                        Remove
                      </Button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {edited !== undefined && (
        <PartDialog
          {...{ type, model, ownerKey }}
          part={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined);
            onSaved();
          }}
        />
      )}
    </Section>
  );
}

async function removePart(type: ModelType, part: WholeObject, onRemoved: () => void): Promise<void> {
  const isConfirmed = await confirmAction({
    title: `Remove ${type.label.toLowerCase()} ${part.key}`,
    text: 'Its parts are deleted too. This cannot be undone.',
    more: <AffectedSubscriptions type={type} change={{ operation: 'D', objectKey: part.key }} />,
    action: 'Remove',
  });
  if (!isConfirmed) return;
  await request(`/${type.name}/${part.key}`, { method: 'DELETE' });
  notify(`${type.label} ${part.key} is removed.`);
  onRemoved();
}
