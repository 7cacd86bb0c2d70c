// Loads the shaping inputs of claimed matches, in a handful of statements: object texts and shaping plans.

import type { Run } from '../database/database.ts';
import type { ShapingInputs } from './shape-matches.ts';
import type { ShapingPlan } from './shaping-plan.ts';
import type { ShapingPlanCache } from './shaping-plan-cache.ts';
import { selectObjectTexts, type UnshapedMatch } from './unshaped-table.ts';

export async function loadShapingInputs(
  matches: readonly UnshapedMatch[],
  planCache: ShapingPlanCache,
  run: Run,
): Promise<ShapingInputs[]> {
  const subscriptionKeys = [...new Set(matches.map(({ subscriptionKey }) => subscriptionKey))];
  const [[rows = []], plans] = await Promise.all([
    run(selectObjectTexts(textsOf(matches))),
    planCache.load(subscriptionKeys, run),
  ]);
  const found = rows as unknown as { event_id: string; no: number; text: string }[];
  const texts = new Map(found.map(({ event_id, no, text }) => [textName(event_id, no), text]));
  return matches.map((match) => inputsOf(match, plans.get(match.subscriptionKey), texts));
}

/** `texts`: by `textName`. */
export function inputsOf(
  match: UnshapedMatch,
  plan: ShapingPlan | undefined,
  texts: ReadonlyMap<string, string>,
): ShapingInputs {
  const textOf = (no: number | null) => (no === null ? null : (texts.get(textName(match.eventId, no)) ?? null));
  return {
    match,
    plan,
    shown: textOf(match.shownNo),
    svcObject: textOf(match.svcObjectNo),
    oldSvcObject: textOf(match.oldSvcObjectNo),
    changes: textOf(match.changesNo),
  };
}

export function textName(eventId: number | string, no: number): string {
  return `${eventId} ${no}`;
}

/** Each text once. */
function textsOf(matches: readonly UnshapedMatch[]): { eventId: number; no: number }[] {
  const wanted = new Map<string, { eventId: number; no: number }>();
  for (const { eventId, shownNo, svcObjectNo, oldSvcObjectNo, changesNo } of matches)
    for (const no of [shownNo, svcObjectNo, oldSvcObjectNo, changesNo])
      if (no) wanted.set(textName(eventId, no), { eventId, no });
  return [...wanted.values()];
}
