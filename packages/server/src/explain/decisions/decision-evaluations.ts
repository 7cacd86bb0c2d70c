// Evaluates the expressions of decisions again, to show the values that decided. The objects are as the transaction of
// the change left them. What disagrees with the record is left out: the expression was changed since.

import type { Run } from '../../database/database.ts';
import { readEvent } from '../../events/change-event.ts';
import { type EventRow, selectEvents } from '../../events/event-table.ts';
import { evaluateCandidates } from '../../match/evaluate-candidates.ts';
import type { Candidate } from '../../match/judge-candidate.ts';
import type { Model } from '../../model/object-type.ts';
import { keyAndSelfView } from '../../query/view.ts';
import type { Links } from '../../query/view-columns.ts';
import { readCondition, readSubscription, type Subscription } from '../../subscriptions/subscription.ts';
import type { DecisionReason } from '../verdict/decision-reasons.ts';
import { candidateTracer, type Explained, explainTrace, type TracedCandidate } from '../verdict/traced-condition.ts';
import type { NamedSubscriptionRow } from './decisions-table.ts';

export interface Decided {
  candidate: Candidate;
  row: NamedSubscriptionRow;
  reason: DecisionReason;
}

export interface EvaluationParts {
  model: Model;
  /** The types that can be subscribed to, as subscribers see them. */
  types: Model['types'];
  links: Links;
}

/** Each evaluation takes milliseconds, and its answer kilobytes. */
const evaluationsMax = 20;

/** The newest decisions come first. Those that are not in the result were not evaluated. */
export async function evaluateDecided(
  decided: readonly Decided[],
  { model, types, links }: EvaluationParts,
  run: Run,
): Promise<ReadonlyMap<Candidate, Explained>> {
  const chosen = decided.filter(({ row, reason }) => row.expression !== null && outcomes.has(reason));
  const wanted = chosen.slice(0, evaluationsMax);
  if (wanted.length === 0) return new Map();
  const [rows = []] = await run(selectEvents([...new Set(wanted.map(({ candidate }) => candidate.event.id))]));
  const events = new Map((rows as unknown as EventRow[]).map((row) => [Number(row.id), readEvent(row, model)]));
  const traced = wanted.flatMap(({ candidate, row, reason }) => {
    const event = events.get(candidate.event.id);
    if (!event) return [];
    const subscription = evaluable(candidate, row, types);
    const trace = candidateTracer(row.expression, candidate.type, { types })({ ...candidate, event, subscription });
    return [{ decided: candidate, reason, ...trace }];
  });
  await evaluateCandidates(
    traced.map(({ candidate }) => candidate),
    { run, model, links },
  );
  const agreeing = traced.filter(({ reason, trace }) => outcomeOf({ trace }) === outcomes.get(reason));
  return new Map(agreeing.map(({ decided: candidate, trace }) => [candidate, explainTrace(trace())]));
}

/** The outcome of the expression where a decision has this reason. Other reasons come before the expression. */
const outcomes = new Map<DecisionReason, 'true' | 'false' | 'error'>([
  ['EXPRESSION_FALSE', 'false'],
  ['EXPRESSION_ERROR', 'error'],
  ['NOTIFIED', 'true'],
  ['SCRIPT_FALSE', 'true'],
  ['SCRIPT_ERROR', 'true'],
  ['SHAPING', 'true'],
]);

function outcomeOf({ trace }: Pick<TracedCandidate, 'trace'>): string | undefined {
  const outcome = trace()?.outcome;
  return outcome?.kind === 'value' ? String(outcome.value) : outcome?.kind;
}

/** The subscription with its expression. What it would send is not loaded. */
function evaluable({ subscription, type }: Candidate, row: NamedSubscriptionRow, types: Model['types']): Subscription {
  const unshaped = { ...row, alert_script_key: null, has_stylesheet: false };
  return readSubscription(unshaped, {
    eventTypes: subscription,
    type,
    selection: { kind: 'view', view: keyAndSelfView(type) },
    condition: readCondition(row.expression, type, { types }),
    snapshot: subscription.createdSnapshot,
    scriptFields: undefined,
  });
}
