// Compiles method calls. As in Java, the receiver is evaluated first, then the arguments, and only then does a null
// receiver fail.

import type { BoundMethod } from '../methods/method.ts';
import { JavaFailure } from '../run/java-failure.ts';
import type { Operand, Run } from './frame.ts';

/** The receiver is undefined for static methods and constructors. */
export function compileCall(
  { name, run, isRequired }: BoundMethod,
  receiver: Operand | undefined,
  args: readonly Run[],
  at: number,
): Run {
  const values = receiver ? [receiver.run, ...args] : args;
  const required = receiver ? [true, ...isRequired] : isRequired;
  const call = { name, subject: receiver?.subject, at };
  const [first, second] = values;
  const [isFirstRequired, isSecondRequired] = required;
  // One or two values have closures of their own: creating an array would take as long as the call.
  if (values.length === 1)
    return (frame) => {
      const one = first!(frame);
      if (one === null && isFirstRequired) throw nullFailure(call, 0);
      frame.at = at;
      return run(one, frame);
    };
  if (values.length === 2)
    return (frame) => {
      const one = first!(frame);
      const other = second!(frame);
      if (one === null && isFirstRequired) throw nullFailure(call, 0);
      if (other === null && isSecondRequired) throw nullFailure(call, 1);
      frame.at = at;
      return run(one, other, frame);
    };
  return (frame) => {
    const passed = values.map((value) => value(frame));
    const missing = passed.findIndex((value, index) => value === null && required[index]);
    if (missing >= 0) throw nullFailure(call, missing);
    frame.at = at;
    return run(...passed, frame);
  };
}

interface Call {
  readonly name: string;
  /** The name of the receiver for messages; undefined if there is none. */
  readonly subject: string | undefined;
  readonly at: number;
}

function nullFailure({ name, subject, at }: Call, index: number): JavaFailure {
  if (subject !== undefined && index === 0) return calledOnNull(name, subject, at);
  return new JavaFailure('NullPointerException', `${name}() does not accept null`, at);
}

export function calledOnNull(method: string, subject: string, at: number): JavaFailure {
  return new JavaFailure('NullPointerException', `${subject} is null, so ${method}() cannot be called on it`, at);
}
