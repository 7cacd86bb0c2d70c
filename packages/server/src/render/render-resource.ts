// Renders a view of an object as JSON, byte for byte as in the response to a GET. For a GET, PostgreSQL writes the JSON
// (`query/view-columns.ts`). Each view is compiled once.

import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ReferenceAttribute } from '../model/object-type.ts';
import { isInColumn, type View, type ViewItem } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import { scalarRenderer } from './render-scalar.ts';

/**
 * Returns the text `null` if the object does not exist. Returns undefined if the text would be longer than `charsMax`.
 */
export function renderResource(
  state: ObjectState,
  view: View,
  key: number,
  links: Links,
  charsMax: number,
): string | undefined {
  const row = state.row(view.type, key);
  if (!row) return 'null';
  try {
    return rendererOf(view, links)(row, state, { charsLeft: charsMax });
  } catch (error) {
    if (error === tooLong) return undefined;
    throw error;
  }
}

type Renderer = (row: StoredRow, state: ObjectState, budget: Budget) => string;

/** Nested collections multiply the length, so rendering stops at the limit instead of checking the finished text. */
interface Budget {
  charsLeft: number;
}

/** Created only once, because nothing reads its stack: it is thrown and caught in this file. */
const tooLong = new Error('The resource is too long.');

/** Caches the renderer for the most recent `restUrl` only, because an installation has one. */
function rendererOf(view: View, { restUrl }: Links): Renderer {
  const cached = renderers.get(view);
  if (cached?.restUrl === restUrl) return cached.renderer;
  const renderer = compileView(view, { restUrl });
  renderers.set(view, { restUrl, renderer });
  return renderer;
}

const renderers = new WeakMap<View, { restUrl: string; renderer: Renderer }>();

function compileView(view: View, links: Links): Renderer {
  const parts = view.items.map((item, index) => {
    const prefix = `${index === 0 ? '{' : ','}${JSON.stringify(item.attribute.name)}:`;
    return compileItem(item, prefix, view, links);
  });
  return (row, state, budget) => {
    const { charsLeft } = budget;
    let text = '';
    for (const part of parts) text += part(row, state, budget);
    // Nested objects are part of `text` and have already reduced the budget, so subtract from its value at the start.
    budget.charsLeft = charsLeft - text.length - 1;
    if (budget.charsLeft < 0) throw tooLong;
    return `${text}}`;
  };
}

function compileItem(item: ViewItem, prefix: string, view: View, links: Links): Renderer {
  switch (item.kind) {
    case 'reference':
      return isInColumn(item)
        ? compileKeyAndSelf(item.attribute, prefix, links)
        : compileReference(item.attribute, prefix, item.view, links);
    case 'collection':
      return compileCollection(item.attribute, prefix, item.view, links);
    case 'scalar': {
      if (item.attribute.kind === 'self') {
        const start = prefix + selfStart(links, view.type.name);
        return (row) => `${start}${row.key}"`;
      }
      return scalarRenderer(item.attribute, prefix);
    }
  }
}

function selfStart({ restUrl }: Links, type: string): string {
  return JSON.stringify(`${restUrl}/${type}/`).slice(0, -1);
}

/** The renderer of a reference that shows only key and self. `prefix`: the text before the value. */
export function compileKeyAndSelf(
  { column, target }: ReferenceAttribute,
  prefix: string,
  links: Links,
): (row: StoredRow) => string {
  const nullText = `${prefix}null`;
  const start = `${prefix}{"key":`;
  const middle = `,"self":${selfStart(links, target.name)}`;
  return (row) => {
    const key = row[column] ?? null;
    return key === null ? nullText : `${start}${key}${middle}${key}"}`;
  };
}

function compileReference({ column, target }: ReferenceAttribute, prefix: string, view: View, links: Links): Renderer {
  const nullText = `${prefix}null`;
  const render = rendererOf(view, links);
  return (row, state, budget) => {
    const key = row[column];
    const targetRow = typeof key === 'number' ? state.row(target, key) : undefined;
    return targetRow ? prefix + render(targetRow, state, budget) : nullText;
  };
}

function compileCollection(collection: CollectionAttribute, prefix: string, view: View, links: Links): Renderer {
  const render = rendererOf(view, links);
  return (row, state, budget) => {
    let text = `${prefix}[`;
    let isFirst = true;
    for (const element of state.elements(collection, row.key as number)) {
      text += isFirst ? render(element, state, budget) : `,${render(element, state, budget)}`;
      isFirst = false;
    }
    return `${text}]`;
  };
}
