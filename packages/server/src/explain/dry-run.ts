// Tells what a subscription would send for a change, or why it would send nothing. It judges, evaluates and renders
// with the code of matching. It stores and sends nothing.

import { type Clock, renderDateTime } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { type Evaluating, evaluateCandidates, type Match } from '../match/evaluate-candidates.ts';
import { type Candidate, judgeCandidates } from '../match/judge-candidate.ts';
import { UnshapedWriter } from '../match/unshaped-writer.ts';
import type { Model } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { ActionHandler } from '../objects/action-call.ts';
import type { Objects } from '../objects/objects.ts';
import type { SandboxTurns } from '../scripts/sandbox-turns.ts';
import type { BodyOptions } from '../shape/default-body.ts';
import { type Engines, type Shaped, shapeMatches } from '../shape/shape-matches.ts';
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
  const testing = { ...parts, types: subscriberModel(parts.model).types };
  const changing = { model: parts.model, now: () => renderDateTime(parts.clock.now()) };
  return async (call) => {
    const tested = await readTested(testing, call);
    const tried = await parts.database.transaction(call.caller, async ({ run }) => {
      const change = await findChange(changing, call, tested.subscription, run);
      return choose(await tryAll(change, { run, model: parts.model, links: parts.links }));
    });
    // Scripts and stylesheets run after the transaction has ended.
    return JSON.stringify(await answer({ ...parts, userKey: call.caller.userKey }, tested, tried));
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

/** Of several objects, prefers one that would be notified: its result says more. */
function choose(tried: readonly Tried[]): Tried {
  return tried.find(({ match }) => match) ?? tried[0]!;
}

/** `userKey`: the user whose turn in the sandbox is used. */
type Answering = DryRunParts & { userKey: number | undefined };

async function answer(parts: Answering, tested: Tested, chosen: Tried): Promise<DryRun> {
  const { channelType, url, state, stateMs, plan } = tested;
  const place = { subscribedObjectKey: chosen.candidate.subscribedKey, channelType, url };
  const nothing = { ...place, contentType: null, body: null, subject: null, log: plan.script ? [] : null };
  if (state !== 'ACTIVE') return { ...explain('NOT_ACTIVE', nameState(state, stateMs)), ...nothing };
  if (!chosen.match) return { ...explain(chosen.reason, chosen.message), ...nothing };
  const match = { ...chosen.match, candidate: chosen.candidate };
  const shaped = await shapeTried(parts, tested, match);
  const log = plan.script ? shaped.log : null;
  switch (shaped.kind) {
    case 'suppressed':
      return { ...explain(shaped.reason, shaped.message), ...nothing, log };
    case 'failed': {
      const reason = shaped.isShaping ? 'STYLESHEET_ERROR' : 'BODY_TOO_LARGE';
      return { isNotified: false, reason, message: shaped.message, ...nothing, log };
    }
    case 'made': {
      const { contentType, body, subject } = shaped;
      return { ...explain('NOTIFIED'), message: 'This would be sent.', ...place, contentType, body, subject, log };
    }
  }
}

/** Shapes every match, also one without a script or a stylesheet: its body is then the default one. */
async function shapeTried(
  { engines, turns, userKey, ...options }: Answering,
  { plan }: Tested,
  matched: Match,
): Promise<Exclude<Shaped, { kind: 'gone' | 'later' }>> {
  const writer = new UnshapedWriter(options);
  const match = writer.add(matched, 0, null);
  const texts = new Map(writer.takeTexts().map(({ no, text }) => [no, text]));
  const textOf = (no: number | null) => (no === null ? null : (texts.get(no) ?? null));
  const inputs = {
    match,
    plan,
    shown: textOf(match.shownNo),
    svcObject: textOf(match.svcObjectNo),
    oldSvcObject: textOf(match.oldSvcObjectNo),
  };
  const [shaped] = await turns.take(userKey, () => shapeMatches([inputs], engines, options));
  return shaped as Exclude<Shaped, { kind: 'gone' | 'later' }>;
}

interface Tried {
  candidate: Candidate;
  match?: Match;
  /** Why there is no match; `NOTIFIED` if there is one. */
  reason: DecisionReason;
  message: string | null;
}

async function tryAll({ candidates, loadedAs }: TriedChange, evaluating: Evaluating): Promise<Tried[]> {
  const rejected = await judgeCandidates(candidates, evaluating.run);
  const accepted = candidates.filter((candidate) => !rejected.has(candidate));
  const evaluated = await evaluateCandidates(accepted.map(loadedAs), evaluating);
  const outcomes = new Map(accepted.map((candidate, index) => [candidate, evaluated[index]!]));
  return candidates.map((candidate): Tried => {
    const outcome = outcomes.get(candidate);
    if (!outcome) return { candidate, reason: rejected.get(candidate)!, message: null };
    if (outcome.kind === 'match') return { candidate, match: outcome, reason: 'NOTIFIED', message: null };
    return { candidate, reason: outcome.reason, message: outcome.message };
  });
}
