// Turns candidates into matches. Loads everything that the conditions and bodies of all candidates need, then evaluates
// the conditions.

import type { ChangedObjects, TypedReader } from '@flaghoist/expressions';
import { EventLoopYield } from '../database/event-loop-yield.ts';
import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { Links } from '../query/view-columns.ts';
import type { SuppressedReason } from '../shape/suppressed-table.ts';
import type { LoadingParts } from '../snapshots/load-rows.ts';
import { loadStates, type StateOf, type Wanted } from '../snapshots/load-states.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import { readerOf } from '../snapshots/state-reader.ts';
import type { Side } from '../snapshots/visible-transactions.ts';
import { type ChangedViews, type Condition, viewOf } from '../subscriptions/subscription.ts';
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
      yield* changedWantedBy(event, condition.changedViews?.get(event.type.name));
    }
  }
}

function* changedWantedBy(event: ChangeEvent, views: ChangedViews | undefined): Generator<Wanted> {
  if (!views) return;
  yield { event, key: event.key, side: shownSide(event), view: views.newView };
  yield { event, key: event.key, side: 'before', view: views.oldView };
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

function evaluate(candidate: Candidate, context: EvaluateContext): Evaluated {
  const { event, subscription, type, subscribedKey: key } = candidate;
  const { condition } = subscription;
  const before = () => context.stateOf(event, key, 'before');
  const shown = isDeleted(candidate) ? before() : context.stateOf(event, key, 'after');
  if (!shown.row(type, key)) return suppressed(candidate, 'OBJECT_DELETED', null);
  if (condition.kind === 'broken') return suppressed(candidate, 'EXPRESSION_ERROR', condition.message);
  const rejected = condition.kind === 'filter' ? evaluateFilter(candidate, condition, shown, context) : undefined;
  if (rejected) return rejected;
  const scriptView = subscription.preparation?.scriptView;
  const old = scriptView && !isCreated(candidate) ? before() : undefined;
  if (scriptView && (shown.isCutOff(scriptView) || old?.isCutOff(scriptView)))
    return suppressed(candidate, 'SCRIPT_ERROR', cutOffScriptMessage);
  return { kind: 'match', candidate, shown, old };
}

/** Undefined if the condition holds. */
function evaluateFilter(
  candidate: Candidate,
  condition: Condition & { kind: 'filter' },
  shown: ObjectState,
  { stateOf, links, allowances }: EvaluateContext,
): Suppressed | undefined {
  const { event, subscription, type, subscribedKey: key } = candidate;
  const before = stateOf(event, key, 'before');
  const svcObject = readerOf(shown, type, key, links)!;
  if (shown.isCutOff(condition.newView) || before.isCutOff(condition.oldView))
    return suppressed(candidate, 'EXPRESSION_ERROR', cutOffMessage);
  const oldSvcObject = isCreated(candidate) ? null : readerOf(before, type, key, links);
  const views = condition.changedViews?.get(event.type.name);
  const changed = views && changedObjects(event, views, { stateOf, links });
  if (changed === 'cut off') return suppressed(candidate, 'EXPRESSION_ERROR', cutOffMessage);
  const steps = entryOf(allowances, `${event.id} ${subscription.userKey}`, () => ({ left: stepsOfUser }));
  const outcome = condition.evaluate({ svcObject, oldSvcObject, changed, steps });
  if (outcome.kind === 'error') return suppressed(candidate, 'EXPRESSION_ERROR', outcome.message);
  return outcome.value ? undefined : suppressed(candidate, 'EXPRESSION_FALSE', null);
}

function changedObjects(
  event: ChangeEvent,
  { newView, oldView }: ChangedViews,
  { stateOf, links }: Pick<EvaluateContext, 'stateOf' | 'links'>,
): ChangedObjects | 'cut off' {
  const [shown, before] = [stateOf(event, event.key, shownSide(event)), stateOf(event, event.key, 'before')];
  if (shown.isCutOff(newView) || before.isCutOff(oldView)) return 'cut off';
  const { type } = newView;
  const readIn = (state: ObjectState): TypedReader | null => {
    const reader = readerOf(state, type, event.key, links);
    return reader && { typeName: type.name, key: reader.key, get: (name) => reader.get(name) };
  };
  return { changedObject: readIn(shown), oldChangedObject: readIn(before) };
}

function suppressed(candidate: Candidate, reason: SuppressedReason, message: string | null): Suppressed {
  return { kind: 'suppressed', candidate, reason, message };
}

const cutOffMessage = 'The expression reads more objects than can be loaded for one change.';
const cutOffScriptMessage = 'The script is shown more objects than can be loaded for one change.';

/** The state in which a changed object is shown: a deleted object is shown as it was. */
function shownSide({ operation }: ChangeEvent): Side {
  return operation === 'D' ? 'before' : 'after';
}

function isDeleted({ event, isMain }: Candidate): boolean {
  return isMain && event.operation === 'D';
}

function isCreated({ event, isMain }: Candidate): boolean {
  return isMain && event.operation === 'C';
}
