// What a subscription would send for a change, or why it would send nothing. Judged, evaluated and rendered by the code that
// matching uses; nothing is stored and nothing is sent.

import { type Clock, renderDateTime } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import type { ActionHandler } from '../objects/action-call.ts';
import type { Objects } from '../objects/objects.ts';
import { type Engines, type Prepared, prepareDrafts } from '../preparing/prepare-drafts.ts';
import type { SandboxTurns } from '../subscriptions/sandbox-turns.ts';
import { subscriberModel } from '../subscriptions/shaping.ts';
import { findBegunOrEnded, pairName } from './begun-or-ended.ts';
import { type DecisionReason, explain, nameState } from './decision-reasons.ts';
import { DraftWriter } from './draft-matches.ts';
import { findChange, type TriedChange } from './dry-run-change.ts';
import { readTested, type Tested } from './dry-run-subscription.ts';
import { type Evaluating, evaluateCandidates, type Match } from './evaluate-candidates.ts';
import { type Candidate, judgeCandidate } from './judge-candidate.ts';
import type { BodyOptions } from './render-body.ts';

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
      return choose(await tryAll(change, { run, links: parts.links }));
    });
    // Scripts and stylesheets are run when the transaction has ended.
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

/** Of several objects, one that would be told about says more. */
function choose(tried: readonly Tried[]): Tried {
  return tried.find(({ match }) => match) ?? tried[0]!;
}

/** `userKey`: whose turn is taken. */
type Answering = DryRunParts & { userKey: number | undefined };

async function answer(parts: Answering, tested: Tested, chosen: Tried): Promise<DryRun> {
  const { channelType, url, state, stateMs, recipe } = tested;
  const place = { subscribedObjectKey: chosen.candidate.subscribedKey, channelType, url };
  const nothing = { ...place, contentType: null, body: null, subject: null, log: recipe.script ? [] : null };
  if (state !== 'ACTIVE') return { ...explain('NOT_ACTIVE', nameState(state, stateMs)), ...nothing };
  if (!chosen.match) return { ...explain(chosen.reason, chosen.message), ...nothing };
  const match = { ...chosen.match, candidate: chosen.candidate };
  const prepared = await prepareTried(parts, tested, match);
  const log = recipe.script ? prepared.log : null;
  switch (prepared.kind) {
    case 'heldBack':
      return { ...explain(prepared.reason, prepared.message), ...nothing, log };
    case 'failed': {
      const reason = prepared.isShaping ? 'STYLESHEET_ERROR' : 'BODY_TOO_LARGE';
      return { isNotified: false, reason, message: prepared.message, ...nothing, log };
    }
    case 'made': {
      const { contentType, body, subject } = prepared;
      return { ...explain('NOTIFIED'), message: 'This would be sent.', ...place, contentType, body, subject, log };
    }
  }
}

/** All are made as those are that need a script or a stylesheet: where there is neither, it is the usual body. */
async function prepareTried(
  { engines, turns, userKey, ...options }: Answering,
  { recipe }: Tested,
  match: Match,
): Promise<Exclude<Prepared, { kind: 'gone' | 'later' }>> {
  const writer = new DraftWriter(options);
  const draft = writer.draft(match, 0, null);
  const texts = new Map(writer.takeTexts().map(({ no, text }) => [no, text]));
  const textOf = (no: number | null) => (no === null ? null : (texts.get(no) ?? null));
  const ingredients = {
    draft,
    recipe,
    shown: textOf(draft.shownNo),
    svcObject: textOf(draft.svcObjectNo),
    oldSvcObject: textOf(draft.oldSvcObjectNo),
  };
  const [prepared] = await turns.take(userKey, () => prepareDrafts([ingredients], engines, options));
  return prepared as Exclude<Prepared, { kind: 'gone' | 'later' }>;
}

interface Tried {
  candidate: Candidate;
  match?: Match;
  /** Where there is no match. */
  reason: DecisionReason;
  message: string | null;
}

async function tryAll({ candidates, loadedAs }: TriedChange, evaluating: Evaluating): Promise<Tried[]> {
  const begunOrEnded = await findBegunOrEnded(candidates, evaluating.run);
  const judged = candidates.map((candidate) => ({
    candidate,
    rule: judgeCandidate(candidate, begunOrEnded.has(pairName(candidate))),
  }));
  const passed = judged.filter(({ rule }) => rule === undefined).map(({ candidate }) => candidate);
  const evaluated = await evaluateCandidates(passed.map(loadedAs), evaluating);
  const outcomes = new Map(passed.map((candidate, index) => [candidate, evaluated[index]!]));
  return judged.map(({ candidate, rule }): Tried => {
    const outcome = outcomes.get(candidate);
    if (!outcome) return { candidate, reason: rule!, message: null };
    if (outcome.kind === 'match') return { candidate, match: outcome, reason: 'NOTIFIED', message: null };
    return { candidate, reason: outcome.reason, message: outcome.message };
  });
}
