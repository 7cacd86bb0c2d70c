// The sub-objects that are made together with a new object, such as the lines of an order.

import { Button } from '../../elements/button.tsx';
import { Section } from '../../elements/page.tsx';
import type { Model, ModelAttribute, ModelType } from '../../model/model.ts';
import { AttributeField } from './attribute-field.tsx';
import { type Draft, isComplete, newAttributes, sentAttributes } from './draft.ts';

/** By the name of the collection. */
export type PartDrafts = Readonly<Record<string, readonly Draft[]>>;

function ownedCollections(type: ModelType): ModelAttribute[] {
  return type.attributes.filter(({ kind, isOwned, element }) => kind === 'collection' && isOwned !== false && element);
}

/** One empty element where the type needs one. */
export function emptyParts(type: ModelType, model: Model): PartDrafts {
  return Object.fromEntries(
    ownedCollections(type)
      .filter(({ element }) => model.byName.has(element!))
      .map(({ name, isRequired, minItems }) => [name, isRequired || (minItems ?? 0) > 0 ? [{}] : []]),
  );
}

export function bodyOf(type: ModelType, model: Model, draft: Draft, parts: PartDrafts): Record<string, unknown> {
  const collections = ownedCollections(type).flatMap(({ name, element }) => {
    const drafts = parts[name] ?? [];
    const elementType = model.byName.get(element!);
    if (!elementType || drafts.length === 0) return [];
    return [[name, drafts.map((each) => sentAttributes(partAttributes(elementType), each))] as const];
  });
  return { ...sentAttributes(newAttributes(type), draft), ...Object.fromEntries(collections) };
}

export function areComplete(type: ModelType, model: Model, parts: PartDrafts): boolean {
  return ownedCollections(type).every(({ name, element }) => {
    const elementType = model.byName.get(element!);
    const drafts = parts[name] ?? [];
    return !elementType || drafts.every((draft) => isComplete(partAttributes(elementType), draft));
  });
}

/** The owner is the new object. */
function partAttributes(type: ModelType): ModelAttribute[] {
  return newAttributes(type).filter(({ isOwner }) => !isOwner);
}

interface NewPartsProps {
  type: ModelType;
  model: Model;
  parts: PartDrafts;
  onChange(parts: PartDrafts): void;
}

export function NewParts({ type, model, parts, onChange }: NewPartsProps) {
  return (
    <>
      {ownedCollections(type).map(({ name, label, element }) => {
        const elementType = model.byName.get(element!);
        if (!elementType) return null;
        const drafts = parts[name] ?? [];
        const set = (changed: readonly Draft[]) => onChange({ ...parts, [name]: changed });
        return (
          <Section key={name} title={label} actions={<Button onClick={() => set([...drafts, {}])}>Add</Button>}>
            {drafts.map((draft, index) => (
              <fieldset key={index} class="object-form">
                <legend>
                  {elementType.label} {index + 1}{' '}
                  <Button kind="quiet" onClick={() => set(drafts.filter((_, at) => at !== index))}>
                    Remove
                  </Button>
                </legend>
                {partAttributes(elementType).map((attribute) => (
                  <AttributeField
                    key={attribute.name}
                    attribute={attribute}
                    model={model}
                    value={draft[attribute.name] ?? ''}
                    onInput={(value) =>
                      set(drafts.map((each, at) => (at === index ? { ...each, [attribute.name]: value } : each)))
                    }
                  />
                ))}
              </fieldset>
            ))}
          </Section>
        );
      })}
    </>
  );
}
