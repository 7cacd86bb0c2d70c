// What answers show of an object without `fields`: the whole object, an element of a collection, or a row of a list.

import type { Catalogue } from '../catalogue.ts';
import type { Collections, Flat, Listed, Part, References, Scalars, Target } from './attributes.ts';

/** What every object shows. */
export interface KeyAndSelf {
  key: number;
  /** URL of the object. */
  self: string;
}

/** One object: its scalars, its references with code and name, its sub-objects. */
export type Whole<T, C = Catalogue> = Flat<
  Omit<Scalars<T, C>, Listed<T, 'onlyByFields', C>> & {
    [Name in ShownName<T, References<T, C>, C>]: Reference<References<T, C>[Name], C>;
  } & {
    [Name in ShownName<T, Collections<T, C>, C>]: Element<Collections<T, C>[Name], T, C>[];
  }
>;

/** An object in a list: its scalars, and its references with key and self. */
export type Minimized<T, C = Catalogue> = Flat<
  MinimizedScalars<T, C> & {
    [Name in ShownName<T, References<T, C>, C>]: KeyAndSelf | Extract<References<T, C>[Name], null>;
  }
>;

/** What creating an object answers: the whole object, and its secrets, which are never shown again. */
export type Created<T, C = Catalogue> = Flat<Whole<T, C> & Part<T, 'shownOnce', C>>;

/** An object in a collection of its owner: as in a list, with its references as in a whole object. */
export type Element<T, Owner, C> = Flat<
  MinimizedScalars<T, C> & {
    [Name in ShownName<T, References<T, C>, C>]: Target<References<T, C>[Name]> extends Owner
      ? KeyAndSelf
      : Reference<References<T, C>[Name], C>;
  }
>;

type MinimizedScalars<T, C> = Omit<Scalars<T, C>, Listed<T, 'onlyInObject' | 'onlyByFields', C>>;

type ShownName<T, Attributes, C> = Exclude<keyof Attributes, Listed<T, 'onlyByFields', C>>;

/** What identifies the object to people. */
type Reference<To, C> = To extends null ? null : Flat<PlainReference<To, C> & ReferencesInReference<To, C>>;

type PlainReference<T, C> = KeyAndSelf & Pick<Scalars<T, C>, keyof Scalars<T, C> & Listed<T, 'shownBy', C>>;

type ReferencesInReference<T, C> = {
  [Name in keyof References<T, C> & Listed<T, 'shownBy', C>]: References<T, C>[Name] extends infer To
    ? To extends null
      ? null
      : Flat<PlainReference<To, C>>
    : never;
};
