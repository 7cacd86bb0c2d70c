// How an evaluation ends early: Java's exceptions, and the limits of our own. Thrown inside an evaluation only; its
// caller gets a value (`evaluate.ts`).

export type FailureName =
  | 'NullPointerException'
  | 'ArithmeticException'
  | 'IndexOutOfBoundsException'
  | 'StringIndexOutOfBoundsException'
  | 'ArrayIndexOutOfBoundsException'
  | 'NumberFormatException'
  | 'NoSuchElementException'
  | 'PatternSyntaxException'
  | 'IllegalArgumentException'
  /** Not Java's: a text or number too large, or too many steps. */
  | 'LimitExceeded';

/** No Error: a failing filter is an everyday thing, and collecting a stack would cost more than the evaluation. */
export class JavaFailure {
  readonly exception: FailureName;
  readonly reason: string;
  /** Where in the text; set by the innermost call that knows. */
  at: number;

  constructor(exception: FailureName, reason: string, at = -1) {
    this.exception = exception;
    this.reason = reason;
    this.at = at;
  }
}
