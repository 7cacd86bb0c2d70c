// The state that the closures of an expression share: the objects, the parameters of lambdas, and the remaining steps.

import type { ObjectReader } from '../input/object-shape.ts';
import { JavaFailure } from '../run/java-failure.ts';
import type { Meter } from '../run/meter.ts';
import { describeType, type JavaType } from '../typing/java-type.ts';

export interface Frame extends Meter {
  svcObject: ObjectReader;
  /** Null on create. */
  oldSvcObject: ObjectReader | null;
  /** Offset of the most recent call, for failures that do not know their own offset. */
  at: number;
  /** The parameter of each lambda, by slot. */
  readonly parameters: unknown[];
}

/** A compiled part of an expression. */
export type Run<V = unknown> = (frame: Frame) => V;

/** A part whose value may be null, with the details for a failure. */
export interface Operand<V = unknown> {
  readonly run: Run<V | null>;
  /** The name of the value that is null, for messages. */
  readonly subject: string;
}

export function nullFailure(subject: string, needed: JavaType, at: number): JavaFailure {
  return new JavaFailure('NullPointerException', `${subject} is null, where ${describeType(needed)} is needed`, at);
}
