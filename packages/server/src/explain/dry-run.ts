// Finds what a subscription would send for a change, or why it would send nothing. Judges, evaluates and renders with
// the code of matching. Stores and sends nothing.

import { type Clock, renderDateTime } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { type Evaluating, evaluateCandidates, type Match, type Suppressed } from '../match/evaluate-candidates.ts';
import { type Candidate, judgeCandidates } from '../match/judge-candidate.ts';
import { UnshapedWriter } from '../match/unshaped-writer.ts';
import type { Model } from '../model/object-type.ts';
import type { ActionHandler } from '../objects/action-call.ts';
import type { Objects } from '../objects/objects.ts';
import type { SandboxTurns } from '../scripts/sandbox-turns.ts';
import type { BodyOptions } from '../shape/default-body.ts';
import { inputsOf, textName } from '../shape/load-shaping-inputs.ts';
import { type Engines, type Shaped, shapeMatches } from '../shape/shape-matches.ts';
import { subscribableTypes } from '../subscriptions/subscribable-types.ts';
import { type DecisionReason, explain, nameState } from './decision-reasons.ts';
import { findChange, type TriedChange } from './dry-run-change.ts';
import { readTested, type Tested } from './dry-run-subscription.ts';

export interface DryRunParts extends BodyOptions {
  database: Database;
  model: Model;
  objects: Pick<Objects, 'rehearse'>;
  clock: Clock;
  engines: Engines;
  turns: SandboxTurns;
}

export function dryRun(parts: DryRunParts): ActionHandler {
  const types = subscribableTypes(parts.model);
  const testing = { ...parts, types };
  const changing = { model: parts.model, types, now: () => renderDateTime(parts.clock.now()) };
  return async (call) => {
    const tested = await readTested(testing, call);
    const tried = await parts.database.transaction(call.caller, async ({ run }) => {
      const change = await findChange(changing, call, tested.subscription, run);
      return tryChange(change, { run, model: parts.model, links: parts.links });
    });
    // Scripts and stylesheets run after the transaction has ended.
    return JSON.stringify(await describe({ ...testing, userKey: call.caller.userKey }, tested, tried));
  };
}

interface DryRun {
  isNotified: boolean;
  reason: DecisionReason | 'BODY_TOO_LARGE' | 'STYLESHEET_ERROR';
  message: string;
  subscribedObjectKey: number;
  channelType: string;
  url: string;
  contentType: string | null;
  body: string | null;
  subject: string | null;
  log: readonly string[] | null;
}

/** `userKey`: the user whose turn in the sandbox is used. `types`: as subscribers see them. */
type RunParts = DryRunParts & { userKey: number | undefined; types: Model['types'] };

async function describe(parts: RunParts, tested: Tested, tried: Tried): Promise<DryRun> {
  const { channelType, url, state, stateMs, plan } = tested;
  const place = { subscribedObjectKey: tried.candidate.subscribedKey, channelType, url };
  const nothing = { ...place, contentType: null, body: null, subject: null, log: plan.script ? [] : null };
  if (state !== 'ACTIVE') return { ...explain('NOT_ACTIVE', nameState(state, stateMs)), ...nothing };
  if (!tried.match) return { ...explain(tried.reason, tried.message), ...nothing };
  const match = { ...tried.match, candidate: tried.candidate };
  const shaped = await shapeTried(parts, tested, match);
  const log = plan.script ? shaped.log : null;
  switch (shaped.kind) {
    case 'suppressed':
      return { ...explain(shaped.reason, shaped.message), ...nothing, log };
    case 'failed': {
      const reason = shaped.isShaping ? 'STYLESHEET_ERROR' : 'BODY_TOO_LARGE';
      return { isNotified: false, reason, message: shaped.message, ...nothing, log };
    }
    case 'rendered': {
      const { contentType, body, subject } = shaped;
      return { ...explain('NOTIFIED'), message: 'This would be sent.', ...place, contentType, body, subject, log };
    }
  }
}

/** Shapes every match, also one without a script or a stylesheet: its body is then the default one. */
async function shapeTried(
  { engines, turns, userKey, ...options }: RunParts,
  { plan }: Tested,
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

type Tried = { candidate: Candidate } & (
  | { match: Match }
  | { match?: undefined; reason: DecisionReason; message: string | null }
);

/** Of several candidates, prefers one that would be notified. */
async function tryChange({ candidates, loadedAs }: TriedChange, evaluating: Evaluating): Promise<Tried> {
  const rejected = await judgeCandidates(candidates, evaluating.run);
  const accepted = candidates.filter((candidate) => !rejected.has(candidate));
  const evaluated = await evaluateCandidates(accepted.map(loadedAs), evaluating);
  for (const [index, match] of evaluated.entries())
    if (match.kind === 'match') return { candidate: accepted[index]!, match };
  const candidate = candidates[0]!;
  const rule = rejected.get(candidate);
  if (rule) return { candidate, reason: rule, message: null };
  const { reason, message } = evaluated[0] as Suppressed;
  return { candidate, reason, message };
}
