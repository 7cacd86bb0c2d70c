// How the types of this package read a catalogue: its own one, or one that `flaghoist types` has written.

/** The names of the object types. */
export type TypeName<C> = keyof C & string;

/** One part of what a catalogue says about a type. */
export type Part<T, Name extends string, C> = T extends keyof C
  ? C[T] extends Record<Name, infer Found>
    ? Found
    : never
  : never;

export type Scalars<T, C> = Part<T, 'scalars', C>;

/** Reference → the type that it leads to, or null if there may be none. */
export type References<T, C> = Part<T, 'references', C>;

/** Collection → the type of its elements. */
export type Collections<T, C> = Part<T, 'collections', C>;

/** Names of attributes that a part lists. */
export type Listed<T, Name extends string, C> = Extract<Part<T, Name, C>, string>;

/** The type that a reference leads to. */
export type Target<Reference> = Exclude<Reference, null>;

/** Makes editors show the members instead of the types that they come from. */
export type Flat<Members> = { [Name in keyof Members]: Members[Name] } & {};
