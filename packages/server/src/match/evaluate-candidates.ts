// Turns candidates into matches. Loads everything that the conditions and bodies of all candidates need, then evaluates
// the conditions.

import type { Run } from '../database/database.ts';
import { EventLoopYield } from '../database/event-loop-yield.ts';
import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import type { SuppressedReason } from '../shape/suppressed-table.ts';
import { type EventStates, loadStates, type Wanted } from '../snapshots/load-states.ts';
import type { ObjectState } from '../snapshots/object-state.ts';
import { readerOf } from '../snapshots/state-reader.ts';
import type { Candidate } from './judge-candidate.ts';

/** A notification to be created. */
export interface Match {
  readonly candidate: Candidate;
  /** The state of the subscribed object to show: after the change or, if the change deleted the object, before it. */
  readonly shown: ObjectState;
  /** The state before the change. Undefined if the change created the object, or if no script needs the state. */
  readonly old: ObjectState | undefined;
}

export interface Suppressed {
  readonly candidate: Candidate;
  readonly reason: SuppressedReason;
  readonly message: string | null;
}

export interface Evaluating {
  run: Run;
  links: Links;
}

export type Evaluated = ({ readonly kind: 'match' } & Match) | ({ readonly kind: 'suppressed' } & Suppressed);

export async function evaluateCandidates(
  candidates: readonly Candidate[],
  { run, links }: Evaluating,
): Promise<Evaluated[]> {
  if (candidates.length === 0) return [];
  const statesOf = await loadStates([...wantedBy(candidates)], run);
  const loopYield = new EventLoopYield(run);
  const evaluated: Evaluated[] = [];
  const allowances = new Map<string, Allowance>();
  for (const candidate of candidates) {
    const states = statesOf(candidate.event, candidate.subscribedKey);
    evaluated.push(evaluate(candidate, { states, links, allowances }));
    if (loopYield.isDue()) await loopYield.wait();
  }
  return evaluated;
}

/** Yields one entry per event and subscribed object, with the views of all subscriptions that need the object. */
function* wantedBy(candidates: readonly Candidate[]): Generator<Wanted> {
  const objects = new Map<ChangeEvent, Map<number, Wanted & { after: Set<View>; before: Set<View> }>>();
  for (const candidate of candidates) {
    const { event, subscription, subscribedKey: key } = candidate;
    const wanted = entryOf(
      entryOf(objects, event, () => new Map()),
      key,
      () => ({ event, type: subscription.type, key, after: new Set<View>(), before: new Set<View>() }),
    );
    const shown = isDeleted(candidate) ? wanted.before : wanted.after;
    shown.add(subscription.view);
    const scriptView = subscription.preparation?.scriptView;
    if (scriptView) {
      shown.add(scriptView);
      wanted.before.add(scriptView);
    }
    if (subscription.condition.kind !== 'filter') continue;
    shown.add(subscription.condition.newView);
    wanted.before.add(subscription.condition.oldView);
  }
  for (const ofEvent of objects.values()) yield* ofEvent.values();
}

/** Step limit for all expressions of one user, per change. Expensive expressions must not delay other users. */
const stepsOfUser = 2_000_000;

interface Allowance {
  left: number;
}

interface EvaluateContext {
  states: EventStates;
  links: Links;
  /** By event and user. */
  allowances: Map<string, Allowance>;
}

function evaluate(candidate: Candidate, { states, links, allowances }: EvaluateContext): Evaluated {
  const shown = isDeleted(candidate) ? states.before : states.after;
  const { condition, type } = candidate.subscription;
  switch (condition.kind) {
    case 'always':
      return matched(candidate, shown, states);
    case 'broken':
      return { kind: 'suppressed', candidate, reason: 'EXPRESSION_ERROR', message: condition.message };
    case 'filter': {
      const svcObject = readerOf(shown, type, candidate.subscribedKey, links);
      if (!svcObject) return { kind: 'suppressed', candidate, reason: 'EXPRESSION_ERROR', message: deletedMessage };
      if (shown.isCutOff(condition.newView) || states.before.isCutOff(condition.oldView))
        return { kind: 'suppressed', candidate, reason: 'EXPRESSION_ERROR', message: cutOffMessage };
      const oldSvcObject = isCreated(candidate) ? null : readerOf(states.before, type, candidate.subscribedKey, links);
      const steps = entryOf(allowances, `${candidate.event.id} ${candidate.subscription.userKey}`, () => ({
        left: stepsOfUser,
      }));
      const outcome = condition.evaluate({ svcObject, oldSvcObject, steps });
      if (outcome.kind === 'error')
        return { kind: 'suppressed', candidate, reason: 'EXPRESSION_ERROR', message: outcome.message };
      if (!outcome.value) return { kind: 'suppressed', candidate, reason: 'EXPRESSION_FALSE', message: null };
      return matched(candidate, shown, states);
    }
  }
}

function matched(candidate: Candidate, shown: ObjectState, states: EventStates): Evaluated {
  const scriptView = candidate.subscription.preparation?.scriptView;
  if (!scriptView) return { kind: 'match', candidate, shown, old: undefined };
  const old = isCreated(candidate) ? undefined : states.before;
  if (shown.isCutOff(scriptView) || old?.isCutOff(scriptView))
    return { kind: 'suppressed', candidate, reason: 'SCRIPT_ERROR', message: cutOffScriptMessage };
  return { kind: 'match', candidate, shown, old };
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
