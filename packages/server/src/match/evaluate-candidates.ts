// Turns candidates into matches. Loads everything that the conditions and bodies of all candidates need, then evaluates
// the conditions.

import { EventLoopYield } from '../database/event-loop-yield.ts';
import { entryOf } from '../entry-of.ts';
import type { Links } from '../query/view-columns.ts';
import type { SuppressedReason } from '../shape/suppressed-table.ts';
import type { LoadingParts } from '../snapshots/load-rows.ts';
import { loadStates, type StateOf, type Wanted } from '../snapshots/load-states.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import { readerOf } from '../snapshots/state-reader.ts';
import { viewOf } from '../subscriptions/subscription.ts';
import type { Candidate } from './judge-candidate.ts';

/** A notification to be created. */
export interface Match {
  readonly kind: 'match';
  readonly candidate: Candidate;
  /** The state of the subscribed object to show: after the change or, if the change deleted the object, before it. */
  readonly shown: ObjectState;
  /** The state before the change. Undefined if the change created the object, or if no script needs the state. */
  readonly old: ObjectState | undefined;
}

export interface Suppressed {
  readonly kind: 'suppressed';
  readonly candidate: Candidate;
  readonly reason: SuppressedReason;
  readonly message: string | null;
}

export type Evaluated = Match | Suppressed;

export interface Evaluating extends LoadingParts {
  links: Links;
}

export async function evaluateCandidates(
  candidates: readonly Candidate[],
  { links, ...loading }: Evaluating,
): Promise<Evaluated[]> {
  const stateOf = await loadStates(wantedBy(candidates), loading);
  const loopYield = new EventLoopYield(loading.run);
  const evaluated: Evaluated[] = [];
  const allowances = new Map<string, Allowance>();
  for (const candidate of candidates) {
    evaluated.push(evaluate(candidate, { stateOf, links, allowances }));
    if (loopYield.isDue()) await loopYield.wait();
  }
  return evaluated;
}

function* wantedBy(candidates: readonly Candidate[]): Generator<Wanted> {
  for (const candidate of candidates) {
    const { event, subscription, type, subscribedKey: key } = candidate;
    const { preparation, condition } = subscription;
    const side = isDeleted(candidate) ? 'before' : 'after';
    yield { event, key, side, view: viewOf(subscription, type) };
    const scriptView = preparation?.scriptView;
    if (scriptView) {
      yield { event, key, side, view: scriptView };
      yield { event, key, side: 'before', view: scriptView };
    }
    if (condition.kind === 'filter') {
      yield { event, key, side, view: condition.newView };
      yield { event, key, side: 'before', view: condition.oldView };
    }
  }
}

/** Step limit for all expressions of one user, per change. Expensive expressions must not delay other users. */
const stepsOfUser = 2_000_000;

interface Allowance {
  left: number;
}

interface EvaluateContext {
  stateOf: StateOf;
  links: Links;
  /** By event and user. */
  allowances: Map<string, Allowance>;
}

function evaluate(candidate: Candidate, { stateOf, links, allowances }: EvaluateContext): Evaluated {
  const { event, subscription, type, subscribedKey: key } = candidate;
  const { condition } = subscription;
  const before = () => stateOf(event, key, 'before');
  const shown = isDeleted(candidate) ? before() : stateOf(event, key, 'after');
  if (condition.kind === 'broken') return suppressed(candidate, 'EXPRESSION_ERROR', condition.message);
  if (condition.kind === 'filter') {
    const svcObject = readerOf(shown, type, key, links);
    if (!svcObject) return suppressed(candidate, 'EXPRESSION_ERROR', deletedMessage);
    if (shown.isCutOff(condition.newView) || before().isCutOff(condition.oldView))
      return suppressed(candidate, 'EXPRESSION_ERROR', cutOffMessage);
    const oldSvcObject = isCreated(candidate) ? null : readerOf(before(), type, key, links);
    const steps = entryOf(allowances, `${event.id} ${subscription.userKey}`, () => ({ left: stepsOfUser }));
    const outcome = condition.evaluate({ svcObject, oldSvcObject, steps });
    if (outcome.kind === 'error') return suppressed(candidate, 'EXPRESSION_ERROR', outcome.message);
    if (!outcome.value) return suppressed(candidate, 'EXPRESSION_FALSE', null);
  }
  const scriptView = subscription.preparation?.scriptView;
  const old = scriptView && !isCreated(candidate) ? before() : undefined;
  if (scriptView && (shown.isCutOff(scriptView) || old?.isCutOff(scriptView)))
    return suppressed(candidate, 'SCRIPT_ERROR', cutOffScriptMessage);
  return { kind: 'match', candidate, shown, old };
}

function suppressed(candidate: Candidate, reason: SuppressedReason, message: string | null): Suppressed {
  return { kind: 'suppressed', candidate, reason, message };
}

const cutOffMessage = 'The expression reads more objects than can be loaded for one change.';
const cutOffScriptMessage = 'The script is shown more objects than can be loaded for one change.';
const deletedMessage = 'The object was deleted before the change was matched.';

function isDeleted({ event, isMain }: Candidate): boolean {
  return isMain && event.operation === 'D';
}

function isCreated({ event, isMain }: Candidate): boolean {
  return isMain && event.operation === 'C';
}
