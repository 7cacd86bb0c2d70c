// Loads the states before and after each event of a batch. All rows that the wanted views lead to are loaded breadth
// first, one round trip per level, whatever the number of events.

import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { View } from '../query/view.ts';
import { EventState } from './event-state.ts';
import { planOf } from './load-plan.ts';
import { type LoadingParts, loadRequested, requestLive, startLoading } from './load-rows.ts';
import type { ObjectState } from './object-state.ts';
import type { Side } from './visible-transactions.ts';
import { rowsMax, visitSubscribed, type Walk } from './visit-rows.ts';

/** A view of an object, in the state before or after an event. */
export interface Wanted {
  event: ChangeEvent;
  /** Of the object that the view is of: the subscribed or the changed one. */
  key: number;
  side: Side;
  view: View;
}

/** The state in which the views of the object with this key were loaded. */
export type StateOf = (event: ChangeEvent, key: number, side: Side) => ObjectState;

export async function loadStates(wanted: Iterable<Wanted>, parts: LoadingParts): Promise<StateOf> {
  const loading = startLoading(parts);
  const states = { before: new Map<ChangeEvent, StatesByKey>(), after: new Map<ChangeEvent, StatesByKey>() };
  const stateOf = (event: ChangeEvent, key: number, side: Side): EventState => {
    const ofEvent = entryOf(states[side], event, (): StatesByKey => new Map());
    return entryOf(ofEvent, key, () => new EventState(event, side, loading.store));
  };
  const walks: Walk[] = [];
  for (const { event, key, side, view } of wanted) {
    const state = stateOf(event, key, side);
    const plan = planOf(view);
    if (state.plans.has(plan)) continue;
    state.plans.set(plan, 'whole');
    walks.push({ loading, state, key, whole: plan, rowsLeft: rowsMax });
    if (state.isOutdated) requestLive(loading.requests, event.type, 'key', event.key);
    loading.firstExcluded = Math.min(loading.firstExcluded, event.snapshot?.min ?? event.transactionId);
    if (side === 'before' && event.operation === 'D') loading.mayHaveLeft = true;
  }
  await loadRequested(loading);
  for (const walk of walks) visitSubscribed(walk);
  await loadRequested(loading);
  return stateOf;
}

type StatesByKey = Map<number, EventState>;
