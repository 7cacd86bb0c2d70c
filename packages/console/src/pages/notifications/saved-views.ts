// Views of the list: filters with a name. Those of the user stay in this browser. A view is an address, so a link shares
// it.

import { signal } from '@preact/signals';
import { basePath } from '../../base-path.ts';
import { filterParameters } from './notification-filters.ts';

export interface SavedView {
  name: string;
  /** As in the address, in one order. */
  query: string;
}

export const builtInViews: readonly SavedView[] = [
  { name: 'All', query: '' },
  { name: 'Failed', query: 'status=FAILED' },
  { name: 'Retrying', query: 'status=RETRYING' },
  { name: 'Last hour', query: 'last=1h' },
];

export const viewsMax = 30;

const storageKey = `flaghoist.views${basePath}`;

export const savedViews = signal<readonly SavedView[]>(read());

/** The filters of an address, without anything else in it. */
export function viewQuery(query: URLSearchParams): string {
  const filters = new URLSearchParams();
  for (const name of filterParameters) for (const value of query.getAll(name).sort()) filters.append(name, value);
  return filters.toString();
}

export function saveView(view: SavedView): void {
  write([...savedViews.peek().filter(({ name }) => name !== view.name), view].slice(-viewsMax));
}

export function removeView(view: SavedView): void {
  write(savedViews.peek().filter(({ name }) => name !== view.name));
}

function write(views: readonly SavedView[]): void {
  savedViews.value = views;
  try {
    localStorage.setItem(storageKey, JSON.stringify(views));
  } catch {
    // The views stay until the page is closed.
  }
}

/** Somebody may have changed what is stored. */
function read(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView).slice(0, viewsMax) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const view = value as Partial<SavedView> | null;
  return typeof view?.name === 'string' && typeof view.query === 'string' && view.name.length <= 60;
}
