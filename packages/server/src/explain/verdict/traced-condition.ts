// Evaluates the expression of a subscription so that its outcome can be explained: the candidate is evaluated as
// matching does it, with a condition that records the value of each part.

import { type Evaluation, type ExpressionTrace, type TracedExpression, traceExpression } from '@flaghoist/expressions';
import type { Candidate } from '../../match/judge-candidate.ts';
import { typesBelow } from '../../model/hierarchy.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';

export interface TracedCandidate {
  candidate: Candidate;
  /** Undefined if its expression was not evaluated. */
  trace(): ExpressionTrace | undefined;
}

export type TraceCandidate = (candidate: Candidate) => TracedCandidate;

/** `expression`: of all candidates, whose subscribed objects have this type. Null: none, and nothing is traced. */
export function candidateTracer(expression: string | null, type: ObjectType | undefined, model: Model): TraceCandidate {
  const traced = expression === null || !type ? undefined : traceExpression(expression, type, typesBelow(model, type));
  return traced?.kind === 'traced' ? (candidate) => traceCandidate(candidate, traced) : untraced;
}

function untraced(candidate: Candidate): TracedCandidate {
  return { candidate, trace: () => undefined };
}

function traceCandidate(candidate: Candidate, { evaluate }: TracedExpression): TracedCandidate {
  const { subscription } = candidate;
  const { condition } = subscription;
  if (condition.kind !== 'filter') return untraced(candidate);
  let trace: ExpressionTrace | undefined;
  const recording: typeof condition = {
    ...condition,
    evaluate: (objects) => {
      trace = evaluate(objects);
      return trace.outcome;
    },
  };
  return { candidate: { ...candidate, subscription: { ...subscription, condition: recording } }, trace: () => trace };
}

export interface Explained {
  evaluation: Evaluation | null;
  /** What decided, if the expression was false. */
  decision: string | null;
}

/** `partsMax`: how many parts the tree may have. */
export function explainTrace(trace: ExpressionTrace | undefined, partsMax?: number): Explained {
  if (!trace) return { evaluation: null, decision: null };
  const { evaluation = null, decision } = trace.describe(partsMax);
  const { outcome } = trace;
  const isFalse = outcome.kind === 'value' && !outcome.value;
  return { evaluation, decision: isFalse && decision !== '' ? decision : null };
}
