// The state that the closures of an expression share: the objects, the parameters of lambdas, and the remaining steps.

import type { ObjectReader, TypedReader } from '../input/object-shape.ts';
import { JavaFailure } from '../run/java-failure.ts';
import type { Meter } from '../run/meter.ts';
import { describeType, type JavaType } from '../typing/java-type.ts';

export interface Frame extends Meter {
  svcObject: ObjectReader;
  /** Null on create. */
  oldSvcObject: ObjectReader | null;
  /** Undefined for an expression that does not use it. */
  changed: ChangedObjects | undefined;
  /** Offset of the most recent call, for failures that do not know their own offset. */
  at: number;
  /** The parameter of each lambda, by slot. */
  readonly parameters: unknown[];
}

/** The object that changed, wherever it is in the hierarchy of the subscribed object. */
export interface ChangedObjects {
  readonly changedObject: TypedReader | null;
  /** Null if the change created the object. */
  readonly oldChangedObject: TypedReader | null;
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
