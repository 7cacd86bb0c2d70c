// Judges recent changes for a subscription: which of them it matches and, for the others, why not. Only what the
// condition reads is loaded.

import { type Evaluated, type Evaluating, evaluateCandidates } from '../../match/evaluate-candidates.ts';
import type { Candidate } from '../../match/judge-candidate.ts';
import type { Tested } from '../dry-run/dry-run-subscription.ts';
import type { DecisionReason } from '../verdict/decision-reasons.ts';
import { type Explained, explainTrace, type TracedCandidate } from '../verdict/traced-condition.ts';
import { withoutBody } from '../verdict/without-body.ts';
import type { RecentChange } from './recent-changes.ts';

export type JudgedChange = { change: RecentChange; candidate: Candidate } & (
  | { isMatch: true }
  | { isMatch: false; reason: DecisionReason; message: string | null; explained: Explained }
);

/** How many parts the evaluation of one change shows. */
const partsMax = 60;

/** Of several candidates of a change, prefers one that matches. */
export async function judgeRecent(
  changes: readonly RecentChange[],
  { traced }: Pick<Tested, 'traced'>,
  evaluating: Evaluating,
): Promise<JudgedChange[]> {
  const accepted = changes.flatMap(({ candidates }) => candidates.filter(({ rule }) => !rule));
  const traces = accepted.map(({ candidate }) => ({ of: candidate, ...traced(withoutBody(candidate)) }));
  const results = await evaluateCandidates(
    traces.map(({ candidate }) => candidate),
    evaluating,
  );
  const evaluated = new Map(traces.map(({ of, trace }, index) => [of, { result: results[index]!, trace }]));
  return changes.map((change) => judgeChange(change, evaluated));
}

type Evaluations = ReadonlyMap<Candidate, { result: Evaluated } & Pick<TracedCandidate, 'trace'>>;

function judgeChange(change: RecentChange, evaluations: Evaluations): JudgedChange {
  const evaluated = change.candidates.flatMap(({ candidate }) => {
    const evaluation = evaluations.get(candidate);
    return evaluation ? [{ candidate, ...evaluation }] : [];
  });
  const matching = evaluated.find(({ result }) => result.kind === 'match');
  if (matching) return { change, candidate: matching.candidate, isMatch: true };
  const [first] = evaluated;
  if (first?.result.kind === 'suppressed') {
    const { reason, message } = first.result;
    const explained = explainTrace(first.trace(), partsMax);
    return {
      change,
      candidate: first.candidate,
      isMatch: false,
      reason,
      message: message ?? explained.decision,
      explained,
    };
  }
  const [{ candidate, rule }] = change.candidates as [RecentChange['candidates'][number]];
  const nothing = { evaluation: null, decision: null };
  return { change, candidate, isMatch: false, reason: rule!, message: null, explained: nothing };
}
