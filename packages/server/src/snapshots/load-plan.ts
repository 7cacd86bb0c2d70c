// Determines which other rows a view needs besides the object's own. A reference that shows only key and self needs no
// other row: both come from the referencing column.

import { entryOf } from '../entry-of.ts';
import type { CollectionAttribute, ObjectType } from '../model/object-type.ts';
import { isInColumn, type View } from '../query/view.ts';

export interface LoadPlan {
  readonly type: ObjectType;
  readonly references: readonly { readonly column: string; readonly plan: LoadPlan }[];
  readonly collections: readonly { readonly collection: CollectionAttribute; readonly plan: LoadPlan }[];
}

export function planOf(view: View): LoadPlan {
  return entryOf(plans, view, () => compilePlan(view));
}

const plans = new WeakMap<View, LoadPlan>();

/** Whether rows of this plan lead to no other rows. */
export function isLeaf({ references, collections }: LoadPlan): boolean {
  return references.length === 0 && collections.length === 0;
}

function compilePlan({ type, items }: View): LoadPlan {
  return {
    type,
    references: items.flatMap((item) =>
      item.kind === 'reference' && !isInColumn(item)
        ? [{ column: item.attribute.column, plan: planOf(item.view) }]
        : [],
    ),
    collections: items.flatMap((item) =>
      item.kind === 'collection' ? [{ collection: item.attribute, plan: planOf(item.view) }] : [],
    ),
  };
}
