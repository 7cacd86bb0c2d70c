// An object that can be changed on the condition that nobody else has changed it.

/** An object whose state the client remembers, from the answer that it came with. */
export interface Versioned<T> {
  readonly key: number;
  /** Does not exist; for the types of `update` and `delete`. */
  readonly [objectType]: T;
}

declare const objectType: unique symbol;
