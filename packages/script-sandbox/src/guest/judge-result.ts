// Runs inside the script engine, as text: turns what a script returned or threw into an outcome. The functions must not
// refer to anything outside themselves.

import type { Outcome } from './outcome.ts';

export type Describer = ReturnType<typeof makeDescriber>;
export type Judge = ReturnType<typeof makeJudge>;

export function makeDescriber() {
  const stackOf = Object.getOwnPropertyDescriptor(Error.prototype, 'stack')?.get;
  const messageLengthMax = 1000;

  function cut(text: string, lengthMax: number): string {
    return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
  }

  function failure(thrown: unknown): Outcome {
    try {
      if (!(thrown instanceof Error)) return { problem: `The script threw ${name(thrown)}.` };
      const message = cut(String(thrown.message) || String(thrown.name), messageLengthMax);
      const stack = stackOf ? String(Reflect.apply(stackOf, thrown, [])) : '';
      const isDoubtful = /^(out of memory|Maximum call stack size exceeded|interrupted)/.test(message);
      return { error: message, stack: cut(stack, 10_000), isDoubtful };
    } catch {
      return { problem: 'The script threw something that cannot be shown.' };
    }
  }

  /** Worded to continue a sentence: `the text "x"`, `an object`. */
  function name(value: unknown): string {
    if (value === null || value === undefined) return String(value);
    if (typeof value === 'string') return `the text ${JSON.stringify(cut(value, 200))}`;
    if (typeof value === 'object') return isPromise(value) ? 'a Promise, which is not awaited' : 'an object';
    return `the ${typeof value}${typeof value === 'function' ? '' : ` ${cut(String(value), 200)}`}`;
  }

  function isPromise(value: object): boolean {
    try {
      return value instanceof Promise;
    } catch {
      return false;
    }
  }

  return { cut, name, failure };
}

export function makeJudge({ name, failure }: Describer) {
  const subjectLengthMax = 1000;
  const bodyLengthMax = 1_000_000;

  function judge(returned: unknown, message: { subject: unknown; body: unknown }): Outcome {
    const { subject, body } = message;
    const hasMessage = subject !== undefined || body !== undefined;
    if (returned === false) return { isTrue: false };
    if (returned !== true && !(returned === undefined && hasMessage)) {
      const found = returned === undefined ? 'nothing' : name(returned);
      return {
        problem: `The script must return true or false, or set message.subject or message.body; it returned ${found}.`,
      };
    }
    if (!hasMessage) return { isTrue: true };
    if (subject !== undefined && typeof subject !== 'string')
      return { problem: `message.subject must be a text, not ${name(subject)}.` };
    if (subject !== undefined && subject.length > subjectLengthMax)
      return { problem: `message.subject is longer than ${subjectLengthMax} characters.` };
    return body === undefined ? { isTrue: true, subject } : withBody(subject, body);
  }

  function withBody(subject: string | undefined, body: unknown): Outcome {
    const kind = typeof body === 'string' ? 'text' : 'json';
    let text: string | undefined;
    try {
      text = typeof body === 'string' ? body : JSON.stringify(body);
    } catch (thrown) {
      const failed = failure(thrown);
      if (!('error' in failed)) return failed;
      return { ...failed, error: `message.body cannot be rendered as JSON: ${failed.error}` };
    }
    if (text === undefined) return { problem: `message.body must be a text or a JSON value, not ${name(body)}.` };
    if (text.length > bodyLengthMax) return { problem: 'message.body is longer than 1 MB.' };
    return { isTrue: true, subject, body: { kind, text } };
  }

  return judge;
}
