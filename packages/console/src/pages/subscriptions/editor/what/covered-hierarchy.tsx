// What a subscription covers besides its objects: their parts, and what certain references lead to, as a tree.

import type { Model, ModelAttribute, ModelType } from '../../../../model/model.ts';
import type { EditorForm } from '../../draft/form.ts';

export function CoveredHierarchy({ form: { draft, model } }: { form: EditorForm }) {
  if (draft.onlyMainObject) return null;
  const names = new Set(
    draft.events
      .filter(({ objectType, operations }) => objectType !== '*' && operations.includes('U'))
      .map(({ objectType }) => objectType),
  );
  const types = [...names].flatMap((name) => model.byName.get(name) ?? []).filter(({ below }) => below.length > 0);
  return (
    <>
      {types.map((type) => (
        <div key={type.name} class="covered-hierarchy">
          <p>“{type.name} updated” also covers what is created, updated or deleted in its hierarchy:</p>
          <Branches branches={branchesOf(model, type, true)} />
        </div>
      ))}
    </>
  );
}

interface Branch {
  attribute: string;
  type: string;
  inside: Branch[];
}

/** `follows`: whether references that count are followed. They are followed once. */
function branchesOf(model: Model, type: ModelType, follows: boolean): Branch[] {
  return type.attributes.flatMap((attribute) => {
    const isFollowed = follows && attribute.isFollowed === true;
    const target = isFollowed || attribute.isOwned ? model.byName.get(targetOf(attribute)) : undefined;
    if (!target?.makesEvents) return [];
    return { attribute: attribute.name, type: target.name, inside: branchesOf(model, target, follows && !isFollowed) };
  });
}

function targetOf({ element, reference }: ModelAttribute): string {
  return element ?? reference ?? '';
}

function Branches({ branches }: { branches: readonly Branch[] }) {
  return (
    <ul>
      {branches.map(({ attribute, type, inside }) => (
        <li key={attribute}>
          {type} <span class="faint mono">{attribute}</span>
          {inside.length > 0 && <Branches branches={inside} />}
        </li>
      ))}
    </ul>
  );
}
