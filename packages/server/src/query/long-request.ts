// Decides which requests are expected to occupy the database for a long time. Only the shape of a request counts, not
// the stored data.
//
// A list is long if it has no `limit` or one over 100. It is also long if it shows or filters by a collection, or
// follows references more than one step. One object is long if it shows collections within others, or follows
// references more than one step from itself or an element. Both are long if they show values that may be very large:
// files, the text of remarks, or many others without a maximum length.

import { asksCollections } from './filter/filter-group.ts';
import type { ListRequest } from './list-request.ts';
import { showsLargeValues } from './unbounded-values.ts';
import { isInColumn, type View, type ViewItem } from './view.ts';

const shortLimitMax = 100;

export function isLongList({ view, filters, page }: Pick<ListRequest, 'view' | 'filters' | 'page'>): boolean {
  const isMany = page.limit === undefined || page.limit > shortLimitMax;
  return (
    isMany || showsCollection(view) || stepsOf(view) > 1 || showsLargeValues(view) || filters.some(asksCollections)
  );
}

export function isLongRead(view: View): boolean {
  const isDeep = view.items.some(
    (item) =>
      item.kind !== 'scalar' &&
      (showsCollection(item.view) || stepsOf(item.view) > (item.kind === 'collection' ? 1 : 0)),
  );
  return isDeep || showsLargeValues(view);
}

function showsCollection(view: View): boolean {
  return view.items.some(
    (item) => item.kind === 'collection' || (item.kind === 'reference' && showsCollection(item.view)),
  );
}

/** How many tables are read one after the other, beyond the view's own. */
function stepsOf(view: View): number {
  return Math.max(0, ...view.items.map(stepsTo));
}

function stepsTo(item: ViewItem): number {
  return item.kind === 'scalar' || isInColumn(item) ? 0 : 1 + stepsOf(item.view);
}
