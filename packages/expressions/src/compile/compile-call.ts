// Compiles method calls. As in Java, the receiver is evaluated first, then the arguments, and only then does a null
// receiver fail.

import type { BoundMethod } from '../methods/method.ts';
import { JavaFailure } from '../run/java-failure.ts';
import type { Operand, Run } from './frame.ts';

/** The receiver is undefined for static methods and constructors. */
export function compileCall(
  method: BoundMethod,
  receiver: Operand<unknown> | undefined,
  args: readonly Run[],
  at: number,
): Run {
  const call = { method, self: receiver?.run ?? nothing, subject: receiver?.subject, at };
  if (args.length === 0) return compilePlainCall(call);
  return args.length === 1 ? compileCallOfOne(call, args[0]!) : compileCallOfMany(call, args);
}

interface Call {
  readonly method: BoundMethod;
  readonly self: Run;
  /** The name of the receiver for messages; undefined if there is none. */
  readonly subject: string | undefined;
  readonly at: number;
}

// Calls with no argument or one have closures of their own: creating an array would take as long as the call.

function compilePlainCall(call: Call): Run {
  const { run } = call.method;
  return (frame) => {
    const object = call.self(frame);
    if (object === null) refuseNull(call);
    frame.at = call.at;
    return run(object, frame);
  };
}

function compileCallOfOne(call: Call, args: Run): Run {
  const { run, isRequired } = call.method;
  return (frame) => {
    const object = call.self(frame);
    const one = args(frame);
    if (object === null) refuseNull(call);
    if (one === null && isRequired[0]) throw passedNull(call);
    frame.at = call.at;
    return run(object, one, frame);
  };
}

function compileCallOfMany(call: Call, args: readonly Run[]): Run {
  const { run, isRequired } = call.method;
  return (frame) => {
    const object = call.self(frame);
    const values = args.map((part) => part(frame));
    if (object === null) refuseNull(call);
    if (values.some((value, index) => value === null && isRequired[index])) throw passedNull(call);
    frame.at = call.at;
    return run(object, ...values, frame);
  };
}

const nothing: Run<null> = () => null;

function refuseNull({ method, subject, at }: Call): void {
  if (subject !== undefined) throw calledOnNull(method.name, subject, at);
}

export function calledOnNull(method: string, subject: string, at: number): JavaFailure {
  return new JavaFailure('NullPointerException', `${subject} is null, so ${method}() cannot be called on it`, at);
}

function passedNull({ method, at }: Call): JavaFailure {
  return new JavaFailure('NullPointerException', `${method.name}() does not accept null`, at);
}
