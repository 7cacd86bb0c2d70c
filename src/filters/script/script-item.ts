// What goes to a thread of the script sandbox, and what comes back.

import type { LanedItem } from '../../sandbox/serve-items.ts';
import type { UsedParameters } from './used-parameters.ts';

export interface ScriptCall {
  /** Names the script as it is now; compiled once for it in each thread. */
  readonly edition: string;
  readonly body: string;
  /** Where one takes too long, the others of its lane in the batch are left out; else it is the edition. */
  readonly lane?: string;
  /** JSON texts. The objects may be 'null'. */
  readonly svcObject: string;
  readonly oldSvcObject: string;
  readonly user: string;
  readonly parameters: string;
  /** What its clock shows. */
  readonly nowMs: number;
  /** What Math.random begins with: the same call gives the same answer whenever it is made. */
  readonly seed: string;
}

export interface ScriptMessage {
  readonly subject: string | undefined;
  readonly body: { readonly kind: 'text' | 'json'; readonly text: string } | undefined;
}

/** With the milliseconds that it took in its thread. */
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
      /** A plain sentence, with the script's own message and its place. */
      readonly message: string;
      /** Or it has cost its engine, which takes others about as long. */
      readonly isOverTime: boolean;
      readonly log: readonly string[];
    }
  /** Not run: another of its lane took too long, earlier in the batch. */
  | { readonly kind: 'leftOut'; readonly log: readonly string[] };

export type CheckResult =
  | { readonly kind: 'fits'; readonly uses: UsedParameters }
  | {
      readonly kind: 'mistaken';
      readonly message: string;
      /** Both count from 1. */
      readonly line: number | undefined;
      readonly column: number | undefined;
    };

/** What calls have in common stands in one object: one that is met again in a batch is sent once. */
export interface CallItem extends LanedItem {
  readonly script: { readonly edition: string; readonly body: string };
  readonly given: Given;
  readonly seed: string;
}

export interface Given {
  /** svcObject, oldSvcObject, user, parameters. */
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
    const script = once(scripts, call.edition, () => ({ edition: call.edition, body: call.body }));
    return { lane: call.lane ?? call.edition, script, given: last, seed: call.seed };
  });
}

function once<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
