// The items that are sent to a thread of the script sandbox, and the results that it returns.

import type { LanedItem } from '@flaghoist/thread-pool';
import type { ScriptMistake } from './check-script.ts';
import type { UsedParameters } from './used-parameters.ts';

export interface ScriptCall {
  /** Identifies this version of the script. Each thread compiles a version once. */
  readonly version: string;
  readonly body: string;
  /** If a call takes too long, the rest of its lane in the batch is skipped. Defaults to the version. */
  readonly lane?: string;
  /** JSON texts. The two objects may be 'null'. */
  readonly svcObject: string;
  readonly oldSvcObject: string;
  readonly user: string;
  readonly parameters: string;
  /** The time that the script sees. */
  readonly nowMs: number;
  /** The seed of Math.random: the same call always gives the same result. */
  readonly seed: string;
}

export interface ScriptMessage {
  readonly subject: string | undefined;
  readonly body: { readonly kind: 'text' | 'json'; readonly text: string } | undefined;
}

/** With the milliseconds spent in the thread. */
export type TimedScriptResult = ScriptResult & { readonly tookMs: number };

export type ScriptResult =
  | {
      readonly kind: 'answered';
      readonly isTrue: boolean;
      readonly message: ScriptMessage | undefined;
      readonly log: readonly string[];
    }
  | {
      readonly kind: 'failed';
      /** A complete sentence, with the script's own error message and its position. */
      readonly message: string;
      /** The call took too long, or its engine must be replaced, which delays other calls about as much. */
      readonly isOverTime: boolean;
      readonly log: readonly string[];
    }
  /** Not run: an earlier call of the same lane in the batch took too long. */
  | { readonly kind: 'skipped'; readonly log: readonly string[] };

export type CheckResult =
  | { readonly kind: 'fits'; readonly uses: UsedParameters }
  | ({ readonly kind: 'mistaken' } & ScriptMistake);

export const tookTooLong = 'The script took longer than allowed.';
export const tookTooMuchMemory = 'The script took more memory than allowed.';

export const cannotBeCompiled: CheckResult = {
  kind: 'mistaken',
  message: 'The script cannot be compiled.',
  line: undefined,
  column: undefined,
};

/** Calls share one object for equal parts. The structured clone of a batch contains each shared object once. */
export interface CallItem extends LanedItem {
  readonly script: { readonly version: string; readonly body: string };
  readonly given: Given;
  readonly seed: string;
}

export interface Given {
  /** In this order: svcObject, oldSvcObject, user, parameters. */
  readonly texts: readonly { readonly text: string }[];
  readonly nowMs: number;
}

export type ScriptItem = CallItem | (LanedItem & { readonly toCheck: string });
export type ScriptAnswer = ScriptResult | CheckResult;

export function callItems(calls: readonly ScriptCall[]): CallItem[] {
  const texts = new Map<string, { text: string }>();
  const scripts = new Map<string, CallItem['script']>();
  let last: Given | undefined;
  return calls.map((call) => {
    const named = [call.svcObject, call.oldSvcObject, call.user, call.parameters];
    if (last?.nowMs !== call.nowMs || last.texts.some(({ text }, n) => text !== named[n]))
      last = { texts: named.map((text) => once(texts, text, () => ({ text }))), nowMs: call.nowMs };
    const script = once(scripts, call.version, () => ({ version: call.version, body: call.body }));
    return { lane: call.lane ?? call.version, script, given: last, seed: call.seed };
  });
}

function once<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
