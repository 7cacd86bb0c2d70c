// Runs a compiled expression over objects. Whatever happens comes back as a value: a failing filter is somebody's
// everyday mistake, and must never stop the work of others.

import { placeInText } from '../../../json/place-in-text.ts';
import { printable } from '../../../json/printable.ts';
import type { ObjectReader } from '../object-reader.ts';
import { type FailureName, JavaFailure } from '../run/java-failure.ts';
import { stepsMax } from '../run/meter.ts';
import type { Frame, Run } from './frame.ts';

export interface EvaluatedObjects {
  svcObject: ObjectReader;
  /** Null on create. */
  oldSvcObject: ObjectReader | null;
  /** What `new Date()` is; the time of day where nothing is said. */
  nowMs?: number;
  /** What several evaluations may use up together, each no more than it may alone. */
  steps?: { left: number };
}

export type Outcome =
  | { readonly kind: 'value'; readonly value: boolean }
  /** `message` says what failed and where, for whoever wrote the expression. */
  | { readonly kind: 'error'; readonly exception: FailureName | 'InternalError'; readonly message: string };

export type Evaluate = (objects: EvaluatedObjects) => Outcome;

export function evaluator(run: Run<boolean>, text: string): Evaluate {
  return ({ svcObject, oldSvcObject, nowMs, steps }) => {
    const granted = steps === undefined || steps.left > stepsMax ? stepsMax : steps.left;
    if (granted <= 0) return usedUp;
    frame.svcObject = svcObject;
    frame.oldSvcObject = oldSvcObject;
    frame.nowMs = nowMs;
    frame.stepsLeft = granted;
    frame.at = -1;
    try {
      return run(frame) ? isTrue : isFalse;
    } catch (error) {
      return frame.stepsLeft < 0 && granted < stepsMax ? usedUp : explain(error, text, frame.at);
    } finally {
      if (steps !== undefined) steps.left -= Math.min(granted, Math.max(1, granted - frame.stepsLeft));
      frame.svcObject = noObject;
      frame.oldSvcObject = null;
      if (frame.parameters.length > 0) frame.parameters.length = 0;
    }
  };
}

const noObject: ObjectReader = { key: 0, get: () => null };

/**
 * No evaluation begins inside another, so one frame serves them all: making one takes as long as a small expression, and
 * keeping one for each expression as much memory.
 */
const frame: Frame = {
  svcObject: noObject,
  oldSvcObject: null,
  nowMs: undefined,
  stepsLeft: 0,
  at: -1,
  parameters: [],
};

const isTrue: Outcome = Object.freeze({ kind: 'value', value: true });
const isFalse: Outcome = Object.freeze({ kind: 'value', value: false });

const usedUp: Outcome = Object.freeze({
  kind: 'error',
  exception: 'LimitExceeded',
  message: 'LimitExceeded: the subscriptions of this user have used up what may be evaluated for one change.',
});

function explain(error: unknown, text: string, lastCallAt: number): Outcome {
  if (error instanceof JavaFailure) {
    const { exception, reason, at } = error;
    const offset = at >= 0 ? at : lastCallAt;
    const place = offset < 0 ? '' : placeOf(text, offset);
    return { kind: 'error', exception, message: `${exception}: ${printableReason(reason)}${place}.` };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: 'error', exception: 'InternalError', message: `InternalError: ${printableReason(reason)}` };
}

/** It may quote an object or a pattern, and is stored and shown: nothing in it may be unseen, and a message has 1,000 characters. */
function printableReason(reason: string): string {
  return printable(reason.slice(0, reasonMax))
    .slice(0, reasonMax)
    .replace(/[\ud800-\udbff]$/, '');
}

const reasonMax = 900;

function placeOf(text: string, offset: number): string {
  const { line, column } = placeInText(text, offset);
  return ` (line ${line}, column ${column})`;
}
