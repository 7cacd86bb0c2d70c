// Shapes the newest matches of recent changes, one after the other, until enough bodies are there or the time is up.

import type { Evaluated } from '../../match/evaluate-candidates.ts';
import { textOf } from '../../render/body.ts';
import type { ShapingPlan } from '../../shape/shaping-plan.ts';
import { type ShapingParts, shapeTried } from '../dry-run/shape-tried.ts';
import { type DecisionReason, explain } from '../verdict/decision-reasons.ts';
import type { JudgedChange } from './judge-recent.ts';

/** How many bodies are shown. */
const bodiesMax = 3;

/** A script may reject matches, so more of them are tried. */
const scriptsMax = 10;

/** After this time, no further script or stylesheet is started. */
const shapingMsMax = 2_000;

export function toShapeMax({ script }: ShapingPlan): number {
  return script ? scriptsMax : bodiesMax;
}

export interface MatchToShape {
  judged: JudgedChange;
  result: Evaluated;
}

export interface ShapedChange {
  isMatch: boolean;
  reason: DecisionReason | 'BODY_TOO_LARGE' | 'STYLESHEET_ERROR' | 'NOT_RUN';
  message: string;
  body: SentBody | null;
  log: readonly string[] | null;
}

export interface SentBody {
  contentType: string;
  text: string;
  /** In UTF-8. */
  bytes: number;
  /** Of the mail, if the script has set one. */
  subject: string | null;
}

/** Those that are not in the result were not shaped. */
export async function shapeRecent(
  parts: ShapingParts,
  plan: ShapingPlan,
  matches: readonly MatchToShape[],
): Promise<ReadonlyMap<JudgedChange, ShapedChange>> {
  const endsAt = performance.now() + shapingMsMax;
  const shaped = new Map<JudgedChange, ShapedChange>();
  let bodies = 0;
  for (const { judged, result } of matches) {
    if (bodies === bodiesMax || performance.now() > endsAt) break;
    const change = await shapeOne(parts, plan, result);
    if (change.body) bodies += 1;
    shaped.set(judged, change);
  }
  return shaped;
}

/** What is said of a match that was not shaped. */
export function unshaped({ script }: ShapingPlan): ShapedChange {
  const rest = { isMatch: true, body: null, log: script ? [] : null };
  if (script)
    return { ...rest, reason: 'NOT_RUN', message: 'The condition holds. The script decides, and was not run.' };
  return { ...rest, reason: 'NOTIFIED', message: 'This would be sent.' };
}

async function shapeOne(parts: ShapingParts, plan: ShapingPlan, result: Evaluated): Promise<ShapedChange> {
  const nothing = { body: null, log: plan.script ? [] : null };
  if (result.kind === 'suppressed') {
    const { reason, message } = explain(result.reason, result.message);
    return { ...nothing, isMatch: false, reason, message };
  }
  const shaped = await shapeTried(parts, plan, result);
  const log = plan.script ? shaped.log : null;
  switch (shaped.kind) {
    case 'suppressed': {
      const { reason, message } = explain(shaped.reason, shaped.message);
      return { isMatch: false, reason, message, body: null, log };
    }
    case 'failed': {
      const reason = shaped.isShaping ? 'STYLESHEET_ERROR' : 'BODY_TOO_LARGE';
      return { isMatch: true, reason, message: shaped.message, body: null, log };
    }
    case 'rendered': {
      const { contentType, subject } = shaped;
      const text = textOf(shaped.body);
      const body = { contentType, text, bytes: Buffer.byteLength(text), subject };
      return { isMatch: true, reason: 'NOTIFIED', message: 'This would be sent.', body, log };
    }
  }
}
