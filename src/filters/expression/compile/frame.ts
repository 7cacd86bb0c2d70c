// What the closures of an expression work on: the objects, the parameters of lambdas, and what may still be used up.

import type { ObjectReader } from '../object-reader.ts';
import { JavaFailure } from '../run/java-failure.ts';
import type { Meter } from '../run/meter.ts';

export interface Frame extends Meter {
  svcObject: ObjectReader;
  /** Null on create. */
  oldSvcObject: ObjectReader | null;
  /** Offset of the call that was made last, for a failure that does not know its own. */
  at: number;
  /** The parameter of each lambda, in its slot. */
  readonly parameters: unknown[];
}

/** A compiled part of an expression. */
export type Run<V = unknown> = (frame: Frame) => V;

/** A part whose value may be null, with what a failure says about it. */
export interface Operand<V> {
  readonly run: Run<V | null>;
  /** What is null, in words. */
  readonly subject: string;
  readonly at: number;
}

export function nullFailure({ subject, at }: Pick<Operand<unknown>, 'subject' | 'at'>, need: string): JavaFailure {
  return new JavaFailure('NullPointerException', `${subject} is null, where ${need} is needed`, at);
}
