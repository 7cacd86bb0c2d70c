// `fields`: which attributes an answer shows, over any number of references and collections, and the type of the answer.

import type { Catalogue } from '../catalogue.ts';
import type { Collections, Flat, References, Scalars, Target } from './attributes.ts';
import type { Element, KeyAndSelf, Minimized } from './default-views.ts';

/** JSON that mirrors the object: `'*'` shows a scalar, or a reference or collection as lists show it. */
export type FieldsOf<T, C = Catalogue> = {
  readonly [Name in keyof Scalars<T, C>]?: '*';
} & {
  readonly [Name in keyof References<T, C>]?: '*' | FieldsOf<Target<References<T, C>[Name]>, C>;
} & {
  readonly [Name in keyof Collections<T, C>]?: '*' | FieldsOf<Collections<T, C>[Name], C>;
};

/** What is shown of an object. `key` and `self` always are. */
export type Selected<T, Fields, C = Catalogue> = Flat<
  KeyAndSelf & { -readonly [Name in keyof Fields]: Shown<T, Name, Exclude<Fields[Name], undefined>, C> }
>;

type Shown<T, Name, Fields, C> = Name extends keyof Scalars<T, C>
  ? Scalars<T, C>[Name]
  : Name extends keyof References<T, C>
    ? ShownReference<References<T, C>[Name], Fields, C>
    : Name extends keyof Collections<T, C>
      ? ShownElement<Collections<T, C>[Name], T, Fields, C>[]
      : never;

type ShownReference<To, Fields, C> = To extends null
  ? null
  : Fields extends '*'
    ? Minimized<To, C>
    : Selected<To, Fields, C>;

type ShownElement<T, Owner, Fields, C> = Fields extends '*' ? Element<T, Owner, C> : Selected<T, Fields, C>;

/** The selection itself, with an error in place of each name that the type does not have. */
export type Checked<T, Fields, C> = {
  [Name in keyof Fields]: Name extends keyof Scalars<T, C>
    ? '*'
    : Name extends keyof References<T, C>
      ? CheckedInside<Target<References<T, C>[Name]>, Fields[Name], C>
      : Name extends keyof Collections<T, C>
        ? CheckedInside<Collections<T, C>[Name], Fields[Name], C>
        : UnknownAttribute<`${T & string} has no attribute ${Name & string}`>;
};

/** No value has this type. Its name and text are in the error of the compiler. */
interface UnknownAttribute<Problem> {
  problem: Problem;
}

type CheckedInside<T, Fields, C> = Fields extends object ? Checked<T, Fields, C> : Fields;
