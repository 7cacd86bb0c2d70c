// Runs inside the script engine, as text: compiles and calls scripts, and returns outcomes as text, so that the host
// never inspects their objects. The function must not refer to anything outside itself. The parts of the realm that it
// uses are frozen before the first script runs.

import type { Describer, Judge } from './judge-result.ts';
import type { Outcome } from './outcome.ts';
import type { ScriptLog } from './script-globals.ts';

type Script = (svcObject: unknown, old: unknown, user: unknown, parameters: unknown, message: object) => unknown;

interface CallerParts {
  evaluate(text: string): unknown;
  describer: Describer;
  judge: Judge;
  log: ScriptLog;
  setSeed(seed: number): void;
}

export function makeCaller({ evaluate, describer, judge, log, setSeed }: CallerParts) {
  const { failure } = describer;
  const textOf = Function.prototype.toString;
  return {
    /** Returns the function, or an Outcome as JSON. */
    compile(source: string): Script | string {
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
    /** Returns 't', 'f', or an Outcome as JSON. */
    call(script: Script, svcObject: unknown, old: unknown, user: unknown, parameters: unknown, seed: number): string {
      log.clear();
      setSeed(seed);
      const message = Object.seal({ subject: undefined, body: undefined });
      let outcome: Outcome;
      try {
        outcome = judge(script(svcObject, old, user, parameters, message), message);
      } catch (thrown) {
        outcome = failure(thrown);
      }
      const lines = log.lines();
      if (lines.length === 0 && 'isTrue' in outcome && outcome.subject === undefined && outcome.body === undefined)
        return outcome.isTrue ? 't' : 'f';
      return JSON.stringify({ ...outcome, log: lines });
    },
    takeLog: () => JSON.stringify(log.lines()),
  };
}
