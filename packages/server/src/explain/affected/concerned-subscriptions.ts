// Finds the subscriptions whose event types cover one of some changes, compiled as matching has them.

import type { Run } from '../../database/database.ts';
import type { ChangeEvent } from '../../events/change-event.ts';
import { subscribedObjects } from '../../match/find-candidates.ts';
import type { Model } from '../../model/object-type.ts';
import { renderEventType, wildcard } from '../../subscriptions/event-type.ts';
import { SubscriptionSet } from '../../subscriptions/subscription-set.ts';
import { type ConcernedRow, selectConcerned } from './affected-table.ts';

export interface Concerned {
  /** By key. */
  rows: ReadonlyMap<number, ConcernedRow>;
  set: SubscriptionSet;
  /** How many more there are. */
  leftOut: number;
}

export interface ConcernedParts {
  model: Model;
  /** The types that can be subscribed to, as subscribers see them. */
  types: Model['types'];
}

/** More are not evaluated: it would take too long. */
const subscriptionsMax = 1_000;

/** `userKey`: the user whose subscriptions come first. */
export async function findConcerned(
  events: readonly ChangeEvent[],
  userKey: number | undefined,
  { model, types }: ConcernedParts,
  run: Run,
): Promise<Concerned> {
  const set = new SubscriptionSet(model, types);
  const eventTypes = new Set(events.flatMap((event) => [...coveringTypes(event, types)]));
  const [found = []] = await run(selectConcerned([...eventTypes], userKey, subscriptionsMax));
  const rows = found as unknown as ConcernedRow[];
  for (const row of rows) set.add(row);
  const total = Number(rows[0]?.total ?? 0);
  return { rows: new Map(rows.map((row) => [Number(row.key), row])), set, leftOut: total - rows.length };
}

/** Every event type that covers the change, as subscriptions store them. */
function* coveringTypes(event: ChangeEvent, types: Model['types']): Generator<string> {
  for (const { type, subscribedKey, isMain } of subscribedObjects(event, types)) {
    for (const operation of [isMain ? event.operation : ('U' as const), '*' as const]) {
      for (const objectType of [type.name, wildcard]) yield renderEventType({ objectType, operation, objectKey: null });
      yield renderEventType({ objectType: type.name, operation, objectKey: subscribedKey });
    }
  }
}
