// What a subscription would send for a change, or why it would send nothing. Judged, evaluated and rendered by the code that
// matching uses; nothing is stored and nothing is sent.

import { type Clock, renderDateTime } from '../clock.ts';
import type { Database, Run } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import type { ActionHandler } from '../objects/action-call.ts';
import type { Objects } from '../objects/objects.ts';
import { subscriberModel } from '../subscriptions/shaping.ts';
import { findBegunOrEnded, pairName } from './begun-or-ended.ts';
import { type DecisionReason, explain, nameState } from './decision-reasons.ts';
import { findChange, type TriedChange } from './dry-run-change.ts';
import { readTested, type Tested } from './dry-run-subscription.ts';
import { type Evaluating, evaluateCandidates, type Match } from './evaluate-candidates.ts';
import { type Candidate, judgeCandidate } from './judge-candidate.ts';
import { type BodyOptions, BodyRenderer } from './render-body.ts';

export interface DryRunParts extends BodyOptions {
  database: Database;
  model: Model;
  objects: Pick<Objects, 'rehearse'>;
  clock: Clock;
}

export function dryRun(parts: DryRunParts): ActionHandler {
  const testing = { ...parts, types: subscriberModel(parts.model).types };
  const changing = { model: parts.model, now: () => renderDateTime(parts.clock.now()) };
  return async (call) => {
    const tested = await readTested(testing, call);
    return parts.database.transaction(call.caller, async ({ run }) => {
      const change = await findChange(changing, call, tested.subscription, run);
      return JSON.stringify(await answer(parts, tested, change, run));
    });
  };
}

interface DryRun {
  isNotified: boolean;
  reason: DecisionReason | 'BODY_TOO_LARGE';
  message: string;
  subscribedObjectKey: number;
  channelType: string;
  url: string;
  contentType: string | null;
  body: string | null;
}

async function answer(parts: DryRunParts, tested: Tested, change: TriedChange, run: Run): Promise<DryRun> {
  const { channelType, url, state, stateMs } = tested;
  const tried = await tryAll(change, { run, links: parts.links });
  // Of several objects, one that would be told about says more.
  const chosen = tried.find(({ match }) => match) ?? tried[0]!;
  const place = { subscribedObjectKey: chosen.candidate.subscribedKey, channelType, url };
  const nothing = { ...place, contentType: null, body: null };
  if (state !== 'ACTIVE') return { ...explain('NOT_ACTIVE', nameState(state, stateMs)), ...nothing };
  if (!chosen.match) return { ...explain(chosen.reason, chosen.message), ...nothing };
  const id = `${chosen.candidate.event.id}-0`;
  const rendered = new BodyRenderer(parts).render({ ...chosen.match, candidate: chosen.candidate }, id);
  if (rendered.kind === 'failure')
    return { isNotified: false, reason: 'BODY_TOO_LARGE', message: rendered.message, ...nothing };
  const { contentType, body } = rendered;
  return { ...explain('NOTIFIED'), message: 'This would be sent.', ...place, contentType, body };
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
