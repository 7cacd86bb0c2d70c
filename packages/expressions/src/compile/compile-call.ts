// Compiles method calls. As in Java, the receiver is evaluated first, then the arguments, and only then does a null
// receiver fail.

import type { BoundMethod } from '../methods/method.ts';
import { JavaFailure } from '../run/java-failure.ts';
import type { Operand, Run } from './frame.ts';

/** The receiver is undefined for static methods and constructors. */
export function compileCall(
  { name, run, isRequired }: BoundMethod,
  receiver: Operand<unknown> | undefined,
  args: readonly Run[],
  at: number,
): Run {
  return (frame) => {
    const object = receiver ? receiver.run(frame) : null;
    const values = args.map((arg) => arg(frame));
    if (object === null && receiver) throw calledOnNull(name, receiver.subject, at);
    if (values.some((value, index) => value === null && isRequired[index]))
      throw new JavaFailure('NullPointerException', `${name}() does not accept null`, at);
    frame.at = at;
    return run(object, ...values, frame);
  };
}

export function calledOnNull(method: string, subject: string, at: number): JavaFailure {
  return new JavaFailure('NullPointerException', `${subject} is null, so ${method}() cannot be called on it`, at);
}
