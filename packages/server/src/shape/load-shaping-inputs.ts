// Loads the shaping inputs of claimed rows, in a handful of statements: object texts and shaping plans.

import type { Run } from '../database/database.ts';
import type { ShapingInputs } from './shape-matches.ts';
import type { ShapingPlanCache } from './shaping-plan-cache.ts';
import { selectObjectTexts, type UnshapedMatch } from './unshaped-table.ts';

/** As many matches as fit, at least one. */
export function cutToBytes(
  matches: readonly UnshapedMatch[],
  bytesMax: number,
): { now: UnshapedMatch[]; later: UnshapedMatch[] } {
  let bytes = 0;
  const now: UnshapedMatch[] = [];
  const later: UnshapedMatch[] = [];
  for (const match of matches) {
    bytes += match.bytes;
    (now.length === 0 || bytes <= bytesMax ? now : later).push(match);
  }
  return { now, later };
}

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
  const texts = new Map(
    (rows as unknown as { event_id: string; no: number; text: string }[]).map(({ event_id, no, text }) => [
      `${event_id} ${no}`,
      text,
    ]),
  );
  return matches.map((match) => {
    const textOf = (no: number | null) => (no === null ? null : (texts.get(`${match.eventId} ${no}`) ?? null));
    return {
      match,
      plan: plans.get(match.subscriptionKey),
      shown: textOf(match.shownNo),
      svcObject: textOf(match.svcObjectNo),
      oldSvcObject: textOf(match.oldSvcObjectNo),
    };
  });
}

/** Each text once. */
function textsOf(matches: readonly UnshapedMatch[]): { eventId: number; no: number }[] {
  const wanted = new Map<string, { eventId: number; no: number }>();
  for (const { eventId, shownNo, svcObjectNo, oldSvcObjectNo } of matches)
    for (const no of [shownNo, svcObjectNo, oldSvcObjectNo]) if (no) wanted.set(`${eventId} ${no}`, { eventId, no });
  return [...wanted.values()];
}
