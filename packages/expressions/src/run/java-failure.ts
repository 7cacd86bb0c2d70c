// The failures that end an evaluation early: Java exceptions, and our own limits. They are thrown only inside an
// evaluation; its caller receives a value (`evaluate.ts`).

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
  | 'ClassCastException'
  /** Not a Java exception: a text or number is too large, or too many steps were used. */
  | 'LimitExceeded';

/** Not an Error: filters fail routinely, and capturing a stack trace would cost more than the evaluation. */
export class JavaFailure {
  readonly exception: FailureName;
  readonly reason: string;
  /** Offset in the text, set by the innermost call that knows it; negative if unknown. */
  at: number;

  constructor(exception: FailureName, reason: string, at = -1) {
    this.exception = exception;
    this.reason = reason;
    this.at = at;
  }
}

type IndexFailure = Extract<FailureName, `${string}IndexOutOfBoundsException`>;

export function checkIndex(index: number, length: number, exception: IndexFailure, at?: number): void {
  if (index < 0 || index >= length)
    throw new JavaFailure(exception, `index ${index} is out of bounds for length ${length}`, at);
}
