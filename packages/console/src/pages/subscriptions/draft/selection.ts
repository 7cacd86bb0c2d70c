// A field selection: which attributes a notification contains. It mirrors the object: `*` for a whole attribute, and
// an object for some attributes behind a reference or of the elements of a collection.

export type Selection = { readonly [name: string]: '*' | Selection };

export type Tick = 'all' | 'some' | 'none';

/** `path`: names of attributes, outermost first. What is inside a whole attribute counts as not ticked by itself. */
export function tickAt(selection: Selection, path: readonly string[]): Tick {
  let at: '*' | Selection | undefined = selection;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return 'none';
    at = at[name];
  }
  if (at === '*') return 'all';
  return at === undefined ? 'none' : 'some';
}

/**
 * Ticks or clears one attribute. Ticking inside a whole reference narrows it to what is ticked; clearing the last
 * attribute inside one clears the reference.
 */
export function setTick(selection: Selection, [name, ...rest]: readonly string[], isTicked: boolean): Selection {
  if (name === undefined) return selection;
  const { [name]: inside, ...others } = selection;
  if (rest.length === 0) return isTicked ? { ...selection, [name]: '*' } : others;
  const changed = setTick(typeof inside === 'object' ? inside : {}, rest, isTicked);
  return Object.keys(changed).length === 0 ? others : { ...selection, [name]: changed };
}

export function countTicks(selection: Selection): number {
  return Object.values(selection).reduce((sum, inside) => sum + (inside === '*' ? 1 : countTicks(inside)), 0);
}

/** What a person or another program wrote; undefined if it is no field selection. */
export function readSelection(value: unknown): Selection | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const isValid = Object.values(value).every((inside) => inside === '*' || readSelection(inside) !== undefined);
  return isValid ? (value as Selection) : undefined;
}
