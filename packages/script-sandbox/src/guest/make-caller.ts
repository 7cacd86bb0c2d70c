// Runs inside the script engine, as text: compiles and calls scripts, and returns outcomes as text, so that the host
// never inspects their objects. The function must not refer to anything outside itself. The parts of the realm that it
// uses are frozen before the first script runs.

import type { FreezePlan } from './freeze-plan.ts';
import type { Outcome } from './outcome.ts';

type Script = (
  svcObject: unknown,
  oldSvcObject: unknown,
  user: unknown,
  parameters: unknown,
  message: object,
) => unknown;

interface Caller {
  /** Parses the JSON of a plan. */
  readPlan(text: string): FreezePlan;
  /** Parses a JSON text and freezes the value by the plan. */
  parse(text: string, plan: FreezePlan): unknown;
  freeze(value: object, plan: FreezePlan): void;
  /** How many objects and lists were frozen since the last `parse` began. */
  countFrozen(): number;
  /** Returns the function, or an Outcome as JSON. */
  compile(source: string): Script | string;
  /** Returns 't', 'f', or an Outcome as JSON. */
  call(script: Script, svcObject: unknown, old: unknown, user: unknown, parameters: unknown, seed: number): string;
  takeLog(): string;
}

export function makeCaller(evaluate: (text: string) => unknown): Caller {
  const textOf = Function.prototype.toString;
  // Local names are resolved faster than global ones.
  const { isArray } = Array;
  const { freeze: lock, keys } = Object;
  const { parse } = JSON;
  const stackOf = Object.getOwnPropertyDescriptor(Error.prototype, 'stack')?.get;
  const linesMax = 100;
  const lineLengthMax = 1000;
  const bodyLengthMax = 1_000_000;
  let log: string[] = [];
  let random = 0;
  let frozen = 0;

  function freeze(value: object, plan: FreezePlan): object {
    if (plan === 1) return freezeAll(value);
    frozen++;
    if (plan === 0) return lock(value);
    if (isArray(value)) {
      for (let n = 0, end = value.length, items = plan[0]; n < end; n++) freezeMember(value[n], items);
    } else {
      for (let n = 1, end = plan.length; n < end; n += 2)
        freezeMember((value as Record<string, unknown>)[plan[n] as string], plan[n + 1] as FreezePlan);
    }
    return lock(value);
  }

  function freezeMember(member: unknown, plan: FreezePlan): void {
    if (typeof member !== 'object' || member === null) return;
    freeze(member, plan);
  }

  function freezeAll(value: object): object {
    frozen++;
    const names = keys(value);
    for (let n = 0; n < names.length; n++) {
      const member = (value as Record<string, unknown>)[names[n]!];
      if (typeof member === 'object' && member !== null) freezeAll(member);
    }
    return lock(value);
  }

  function cut(text: string, lengthMax: number): string {
    return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
  }

  function show(value: unknown): string {
    if (typeof value === 'string') return value;
    try {
      if (typeof value !== 'object' || value === null || value instanceof Error) return String(value);
      return JSON.stringify(value) ?? String(value);
    } catch {
      return '(cannot be shown)';
    }
  }

  function write(...values: unknown[]): void {
    if (log.length >= linesMax) {
      log[linesMax - 1] = 'Further lines are left out.';
      return;
    }
    let line = '';
    for (const [n, value] of values.entries()) {
      if (line.length > lineLengthMax) break;
      line += (n > 0 ? ' ' : '') + cut(show(value), lineLengthMax + 1);
    }
    // Rendering a value may itself have written lines.
    if (log.length < linesMax) log.push(cut(line, lineLengthMax));
  }

  /** Mulberry32: good enough for sampling, and deterministic for a seed. */
  function nextRandom(): number {
    random = (random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(random ^ (random >>> 15), 1 | random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  function failure(thrown: unknown): Outcome {
    try {
      if (!(thrown instanceof Error)) return { problem: `The script threw ${name(thrown)}.` };
      const message = cut(String(thrown.message) || String(thrown.name), lineLengthMax);
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
    if (subject !== undefined && subject.length > lineLengthMax)
      return { problem: `message.subject is longer than ${lineLengthMax} characters.` };
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

  Object.defineProperty(globalThis, 'console', {
    value: { log: write, info: write, warn: write, error: write, debug: write },
  });
  Math.random = nextRandom;

  return {
    readPlan: (text) => parse(text),
    parse(text, plan) {
      const value = parse(text);
      frozen = 0;
      return typeof value === 'object' && value !== null ? freeze(value, plan) : value;
    },
    freeze(value, plan) {
      freeze(value, plan);
    },
    countFrozen: () => frozen,
    compile(source) {
      try {
        const script = evaluate(source) as Script;
        // If a script closes its own function early, the rest has just run, and `script` is another function.
        const isWhole = typeof script === 'function' && `(${Reflect.apply(textOf, script, [])})` === source;
        if (isWhole) return Object.freeze(script);
        return JSON.stringify({ error: 'unexpected }', stack: '' });
      } catch (thrown) {
        return JSON.stringify(failure(thrown));
      }
    },
    call(script, svcObject, oldSvcObject, user, parameters, seed) {
      log = [];
      random = seed;
      const message = Object.seal({ subject: undefined, body: undefined });
      let outcome: Outcome;
      try {
        outcome = judge(script(svcObject, oldSvcObject, user, parameters, message), message);
      } catch (thrown) {
        outcome = failure(thrown);
      }
      if (log.length === 0 && 'isTrue' in outcome && outcome.subject === undefined && outcome.body === undefined)
        return outcome.isTrue ? 't' : 'f';
      return JSON.stringify({ ...outcome, log });
    },
    takeLog: () => JSON.stringify(log),
  };
}
