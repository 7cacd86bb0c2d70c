// What is told about an expression that cannot be saved: each mistake with its place. The parser stops at the first and
// throws it; the checker goes on and collects all that it finds.

import { placeInText } from '../../json/place-in-text.ts';

export interface Mistake {
  /** Both count from 1; a column is one UTF-16 unit. */
  line: number;
  column: number;
  offset: number;
  length: number;
  message: string;
}

/** From `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export class ExpressionSyntaxError extends Error {
  readonly span: Span;

  constructor(span: Span, message: string) {
    super(message);
    this.name = 'ExpressionSyntaxError';
    this.span = span;
  }
}

export function mistakeAt(text: string, { start, end }: Span, message: string): Mistake {
  const offset = Math.min(start, text.length);
  return { ...placeInText(text, offset), offset, length: Math.min(end, text.length) - offset, message };
}

export interface MistakeList {
  readonly text: string;
  readonly found: Mistake[];
}

/** Thrown when so many mistakes have been found that more would help nobody, and looking for them only cost time. */
export class EnoughMistakes extends Error {
  readonly found: readonly Mistake[];

  constructor(found: readonly Mistake[]) {
    super();
    this.found = found;
  }
}

/** What one place is told once is enough. */
export function report(list: MistakeList, span: Span, message: string): void {
  const mistake = mistakeAt(list.text, span, message);
  const isKnown = list.found.some(({ offset, message: told }) => offset === mistake.offset && told === message);
  if (!isKnown) list.found.push(mistake);
  if (list.found.length >= mistakesMax) throw new EnoughMistakes(list.found);
}

const mistakesMax = 20;
