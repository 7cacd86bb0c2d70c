// The syntax tree of a Java regular expression, the state of its parser, and the error that ends parsing.

export type PatternTree =
  /** One character, set or anchor, already in the engine's syntax. */
  | { readonly kind: 'piece'; readonly text: string }
  /** `$` and `\Z`: the end, or before a final line end. The engine has only the former (see `java-pattern.ts`). */
  | { readonly kind: 'end'; readonly written: string }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'alternatives'; readonly choices: readonly PatternTree[] }
  | { readonly kind: 'group'; readonly opening: string; readonly inner: PatternTree }
  | { readonly kind: 'repeat'; readonly quantifier: string; readonly most: number; readonly inner: PatternTree };

export class PatternMistake extends Error {}

export interface PatternReader {
  readonly pattern: string;
  at: number;
  nesting: number;
  /** The names of the groups so far. */
  readonly names: Set<string>;
}

export interface PatternFlags {
  readonly ignoresCase: boolean;
  readonly dotTakesLineEnds: boolean;
}
