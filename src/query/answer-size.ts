// Refuses an object whose answer is surely too large, before its text is built: PostgreSQL would hold several copies of it. A few steps
// through references and collections multiply what is reached, so the rows are counted, and no further than decides it.

import { quoteName, tableOf } from '../database/identifiers.ts';
import { newAlias } from './statement-draft.ts';
import type { View, ViewItem } from './view.ts';
import type { Links, Rendering } from './view-columns.ts';

/** The function `flaghoist_system.bounded` has the same number. */
export const answerBytesMax = 67_108_864;

/** From one row to the next: by a reference, or to the elements of a collection. */
type Step = Exclude<ViewItem, { kind: 'scalar' }>;

/**
 * SQL that holds, or fails with "program limit exceeded". A lower bound: no answer that would fit is refused. Undefined for views that show
 * no collection.
 */
export function fitsCondition(rendering: Rendering, view: View, alias: string): string | undefined {
  const conditions = collectionPaths(view).map((path) => reachesFew(rendering, path, alias));
  return conditions.length === 0 ? undefined : `flaghoist_system.must_fit(${conditions.join('\n  and ')})`;
}

/** To each collection that is shown, however deep. */
function collectionPaths(view: View): Step[][] {
  return view.items.flatMap((item) => {
    if (item.kind === 'scalar') return [];
    const below = collectionPaths(item.view).map((path) => [item, ...path]);
    return item.kind === 'collection' ? [[item], ...below] : below;
  });
}

function reachesFew(rendering: Rendering, path: readonly Step[], alias: string): string {
  const rowsMax = Math.floor(answerBytesMax / leastBytes(path.at(-1)!.view, rendering.links));
  const rows = `select from ${joined(rendering, path, alias)} limit ${rowsMax + 1}`;
  return `(select count(*) from (${rows}) reached) <= ${rowsMax}`;
}

function joined(rendering: Rendering, path: readonly Step[], alias: string): string {
  const aliases = path.map(() => newAlias(rendering.draft, 'n'));
  const tables = path.map((step, index) => `${tableOf(step.view.type)} ${aliases[index]}`);
  const links = path.map((step, index) => link(step, aliases[index - 1] ?? alias, aliases[index]!));
  return `${tables.join(', ')} where ${links.join(' and ')}`;
}

function link(step: Step, from: string, to: string): string {
  return step.kind === 'reference'
    ? `${to}."key" = ${from}.${quoteName(step.attribute.column)}`
    : `${to}.${quoteName(step.attribute.ownerColumn)} = ${from}."key"`;
}

/** Of an object that is shown like that: its braces, and for each member a name in quotes, a colon, a comma and the shortest value. */
function leastBytes(view: View, links: Links): number {
  const members = view.items.map((item) => item.attribute.name.length + 4 + leastValueBytes(item, view, links));
  return members.reduce((sum, bytes) => sum + bytes, 2);
}

function leastValueBytes(item: ViewItem, { type }: View, { restUrl }: Links): number {
  if (item.kind === 'collection') return '[]'.length;
  if (item.kind === 'reference') return 'null'.length;
  return item.attribute.kind === 'self' ? `"${restUrl}/${type.name}/1"`.length : 1;
}
