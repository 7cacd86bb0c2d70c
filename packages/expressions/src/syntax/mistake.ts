// Mistakes in an expression, each with its position. An expression with mistakes cannot be saved. The parser throws the
// first mistake; the checker collects as many as it finds, up to a maximum.

import { placeInText } from '@flaghoist/source-text';

export interface Mistake {
  /** Line and column start at 1. Columns count UTF-16 code units. */
  line: number;
  column: number;
  offset: number;
  length: number;
  message: string;
  /** What to write instead of the text that the mistake covers, if that corrects it. */
  suggestion?: string;
}

/** Offsets in the text: `start` is included, `end` is not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export class ExpressionSyntaxError extends Error {
  readonly span: Span;
  readonly suggestion: string | undefined;

  constructor(span: Span, message: string, suggestion?: string) {
    super(message);
    this.name = 'ExpressionSyntaxError';
    this.span = span;
    this.suggestion = suggestion;
  }
}

export function mistakeAt(text: string, { start, end }: Span, message: string, suggestion?: string): Mistake {
  const offset = Math.min(start, text.length);
  const place = { ...placeInText(text, offset), offset, length: Math.min(end, text.length) - offset };
  return { ...place, message, ...(suggestion !== undefined && { suggestion }) };
}

/** Thrown when the maximum number of mistakes is reached. More would not help the author, and would cost time. */
export class MistakeLimitReached extends Error {
  readonly found: readonly Mistake[];

  constructor(found: readonly Mistake[]) {
    super();
    this.found = found;
  }
}
