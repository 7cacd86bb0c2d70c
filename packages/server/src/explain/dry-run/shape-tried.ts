// Shapes the match of a dry run: runs its script and stylesheet, and renders its body, as for a notification. Call it
// outside of a transaction, because foreign code runs.

import type { Match } from '../../match/evaluate-candidates.ts';
import { UnshapedWriter } from '../../match/unshaped-writer.ts';
import type { Model } from '../../model/object-type.ts';
import type { SandboxTurns } from '../../scripts/sandbox-turns.ts';
import type { BodyOptions } from '../../shape/default-body.ts';
import { inputsOf, textName } from '../../shape/load-shaping-inputs.ts';
import { type Engines, type Shaped, shapeMatches } from '../../shape/shape-matches.ts';
import type { ShapingPlan } from '../../shape/shaping-plan.ts';

export interface ShapingParts extends BodyOptions {
  engines: Engines;
  turns: SandboxTurns;
  /** The user whose turn in the sandbox is used. */
  userKey: number | undefined;
  /** As subscribers see them. */
  types: Model['types'];
}

/** Shapes every match, also one without a script or a stylesheet: its body is then the default one. */
export async function shapeTried(
  { engines, turns, userKey, ...options }: ShapingParts,
  plan: ShapingPlan,
  matched: Match,
): Promise<Exclude<Shaped, { kind: 'gone' | 'later' }>> {
  const writer = new UnshapedWriter(options);
  const match = writer.add(matched, 0, null);
  const texts = new Map(writer.takeTexts().map(({ eventId, no, text }) => [textName(eventId, no), text]));
  // A plan for several types does not know which of them the object has.
  const inputs = inputsOf(match, { ...plan, type: matched.candidate.type }, texts);
  const [shaped] = await turns.take(userKey, () => shapeMatches([inputs], engines, options));
  return shaped as Exclude<Shaped, { kind: 'gone' | 'later' }>;
}
