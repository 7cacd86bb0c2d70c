// Renders an object in a view as JSON, byte for byte as a GET of the same view answers it (`query/view-columns.ts`, where
// PostgreSQL writes it). Each view is compiled once into its parts.

import type { StoredRow } from '../events/stored-row.ts';
import type { CollectionAttribute, ReferenceAttribute } from '../model/object-type.ts';
import type { View, ViewItem } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import { isInColumn } from './load-plan.ts';
import type { ObjectState } from './object-state.ts';
import { scalarRenderer } from './render-scalar.ts';

/** `null` where the object is not there. Undefined where it would be longer than `charsMax`. */
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

/** Collections inside each other multiply, so rendering ends where the text is long enough, not after it was made. */
interface Budget {
  charsLeft: number;
}

/** Made once: it takes a long text no further than here, and nobody looks at its stack. */
const tooLong = new Error('The resource is too long.');

/** Compiled for the links that were given last: an installation has one place where its objects are found. */
function rendererOf(view: View, { restUrl }: Links): Renderer {
  const known = renderers.get(view);
  if (known?.restUrl === restUrl) return known.renderer;
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
    // The objects inside have taken their part already; from here on it is a part of this one.
    budget.charsLeft = charsLeft - text.length - 1;
    if (budget.charsLeft < 0) throw tooLong;
    return `${text}}`;
  };
}

function compileItem(item: ViewItem, prefix: string, view: View, links: Links): Renderer {
  switch (item.kind) {
    case 'reference':
      return isInColumn(item.view)
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

function compileKeyAndSelf({ column, target }: ReferenceAttribute, prefix: string, links: Links): Renderer {
  const nothing = `${prefix}null`;
  const start = `${prefix}{"key":`;
  const middle = `,"self":${selfStart(links, target.name)}`;
  return (row) => {
    const key = row[column] ?? null;
    return key === null ? nothing : `${start}${key}${middle}${key}"}`;
  };
}

function compileReference({ column, target }: ReferenceAttribute, prefix: string, view: View, links: Links): Renderer {
  const nothing = `${prefix}null`;
  const render = rendererOf(view, links);
  return (row, state, budget) => {
    const key = row[column];
    const referred = typeof key === 'number' ? state.row(target, key) : undefined;
    return referred ? prefix + render(referred, state, budget) : nothing;
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
