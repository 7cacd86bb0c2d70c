// Evaluates a compiled expression for a pair of objects. Every outcome is returned as a value: filters fail routinely,
// and a failing filter must never stop other work.

import { placeInText, printable } from '@flaghoist/source-text';
import type { ObjectReader } from '../input/object-shape.ts';
import { type FailureName, JavaFailure } from '../run/java-failure.ts';
import { stepsMax } from '../run/meter.ts';
import type { ChangedObjects, Frame, Run } from './frame.ts';

export interface EvaluatedObjects {
  svcObject: ObjectReader;
  /** Null on create. */
  oldSvcObject: ObjectReader | null;
  /** Needed only if the expression uses it (`CompiledExpression.changed`). */
  changed?: ChangedObjects | undefined;
  /** The value of `new Date()`; by default the current time. */
  nowMs?: number;
  /** A budget of steps for several evaluations together. The limit of a single evaluation still applies. */
  steps?: { left: number };
}

export type Outcome =
  | { readonly kind: 'value'; readonly value: boolean }
  /** `message` tells the author of the expression what failed and where. */
  | { readonly kind: 'error'; readonly exception: FailureName | 'InternalError'; readonly message: string };

export type Evaluate = (objects: EvaluatedObjects) => Outcome;

export function evaluator(run: Run<boolean>, text: string): Evaluate {
  return ({ svcObject, oldSvcObject, changed, nowMs, steps }) => {
    const granted = steps === undefined || steps.left > stepsMax ? stepsMax : steps.left;
    if (granted <= 0) return usedUp;
    frame.svcObject = svcObject;
    frame.oldSvcObject = oldSvcObject;
    frame.changed = changed;
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
      frame.changed = undefined;
      if (frame.parameters.length > 0) frame.parameters.length = 0;
    }
  };
}

const noObject: ObjectReader = { key: 0, get: () => null };

/**
 * Evaluations never nest, so all share one frame. Creating a frame takes as long as evaluating a small expression, and
 * one frame per expression would need as much memory as a small expression.
 */
const frame: Frame = {
  svcObject: noObject,
  oldSvcObject: null,
  changed: undefined,
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
  message: 'LimitExceeded: the expressions of this user have used all evaluation steps for one change.',
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

/**
 * The reason may quote an object or a pattern, and is stored and shown. Invisible characters are therefore named, and
 * the length is limited so that the message has at most 1,000 characters.
 */
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
