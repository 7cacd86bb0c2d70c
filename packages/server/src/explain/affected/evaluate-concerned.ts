// Evaluates the subscriptions that a change concerns, until all are known or the time is up.

import type { Run } from '../../database/database.ts';
import type { ChangeEvent } from '../../events/change-event.ts';
import { type Evaluating, evaluateCandidates } from '../../match/evaluate-candidates.ts';
import { findCandidates } from '../../match/find-candidates.ts';
import { type Candidate, judgeCandidates } from '../../match/judge-candidate.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
import { withoutBody } from '../verdict/without-body.ts';
import type { Concerned } from './concerned-subscriptions.ts';

export interface Outcome {
  /** The subscriptions whose conditions hold for one of the changes. */
  matching: ReadonlySet<Subscription>;
  /** Those that were not evaluated for all changes before the time was up, and do not match so far. */
  unknown: ReadonlySet<Subscription>;
}

/** After this time, no more candidates are evaluated: the changed objects are locked meanwhile. */
const evaluatingMsMax = 1_000;

/**
 * Candidates of whole events are evaluated together, so that the limit on the steps of one user holds for each event,
 * and few statements load what they need.
 */
const candidatesAtOnce = 200;

export async function evaluateConcerned(
  events: readonly ChangeEvent[],
  { set }: Concerned,
  evaluating: Evaluating,
): Promise<Outcome> {
  const candidates = await acceptedCandidates(events, set, evaluating.run);
  const endsAt = performance.now() + evaluatingMsMax;
  const matching = new Set<Subscription>();
  const unknown = new Set<Subscription>();
  for (const group of groupsOf(candidates)) {
    const open = group.filter(({ subscription }) => !matching.has(subscription));
    if (performance.now() > endsAt) {
      for (const { subscription } of open) unknown.add(subscription);
      continue;
    }
    const results = await evaluateCandidates(open.map(withoutBody), evaluating);
    for (const [index, { kind }] of results.entries()) if (kind === 'match') matching.add(open[index]!.subscription);
  }
  return { matching, unknown };
}

/** The candidates of an event follow each other, and stay together. */
function* groupsOf(candidates: readonly Candidate[]): Generator<Candidate[]> {
  let group: Candidate[] = [];
  for (const [index, candidate] of candidates.entries()) {
    group.push(candidate);
    const isLast = candidates[index + 1]?.event !== candidate.event;
    if (!isLast || group.length < candidatesAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function acceptedCandidates(
  events: readonly ChangeEvent[],
  set: Concerned['set'],
  run: Run,
): Promise<Candidate[]> {
  const candidates = events.flatMap((event) => [...findCandidates(event, set)]);
  const rejected = await judgeCandidates(candidates, run);
  return candidates.filter((candidate) => !rejected.has(candidate));
}
