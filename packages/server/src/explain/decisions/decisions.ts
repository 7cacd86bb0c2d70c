// "Why was I notified, and why not?": the outcome of recent changes for one subscription, or for all of a caller's.
// Evaluations are on record. Everything else is judged again from the event, by the rules that matching uses.

import type { Database, Run, Statement } from '../../database/database.ts';
import { type ChangeEvent, readEvent } from '../../events/change-event.ts';
import type { EventRow } from '../../events/event-table.ts';
import { parseSnapshot } from '../../events/transaction-snapshot.ts';
import { possibleCandidates } from '../../match/find-candidates.ts';
import type { Candidate } from '../../match/judge-candidate.ts';
import { typesBelow } from '../../model/hierarchy.ts';
import type { Model } from '../../model/object-type.ts';
import type { ActionCall, ActionHandler } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { notFound } from '../../objects/object-errors.ts';
import type { Links } from '../../query/view-columns.ts';
import { wildcard } from '../../subscriptions/event-type.ts';
import { listOf, readStoredEventTypes } from '../../subscriptions/event-types.ts';
import { subscribableTypes } from '../../subscriptions/subscribable-types.ts';
import { readSubscription, type Subscription } from '../../subscriptions/subscription.ts';
import { findOutcomes } from './decision-outcomes.ts';
import {
  type NamedSubscriptionRow,
  type NotificationsOf,
  type RecordFound,
  selectNotificationsOf,
  selectOneEvent,
  selectRecentEvents,
  selectRecords,
  selectSubscriptionsOf,
} from './decisions-table.ts';

export interface DecisionsParts {
  database: Database;
  model: Model;
  links: Links;
  /** How long deactivated subscriptions continue to collect. */
  deactivatedKeepMs: number;
}

export function explainDecisions({ database, model, links, deactivatedKeepMs }: DecisionsParts): ActionHandler {
  const types = subscribableTypes(model);
  const evaluation = { model, types, links };
  return (call) => {
    const request = readRequest(call);
    const { whose, eventId } = request;
    return database.transaction(call.caller, async ({ run }) => {
      const event = eventId === undefined ? undefined : await findEvents(model, selectOneEvent(eventId), run);
      const rows = await findSubscriptions(request, event, run);
      const subscriptions = [...rows.values()].flatMap(readRow);
      const events =
        event ?? (await findEvents(model, recentEvents(model, request, subscribedTypes(subscriptions, types)), run));
      const candidates = listCandidates(events, subscriptions, types, request);
      if (candidates.length === 0) return '[]';
      return JSON.stringify(await findOutcomes({ candidates, rows, whose, deactivatedKeepMs, evaluation }, run));
    });
  };
}

interface DecisionsRequest {
  call: ActionCall;
  whose: NotificationsOf;
  /** The user whose subscriptions the caller may see; undefined: all users. */
  onlyUser: number | undefined;
  eventId: number | undefined;
  objectKey: number | undefined;
  limit: number;
}

function readRequest(call: ActionCall): DecisionsRequest {
  const { type, key, given, caller } = call;
  const onlyUser = onlyUserFor(type, caller);
  const numberOf = (name: string) => (given.get(name) ? Number(given.get(name)) : undefined);
  const ofCaller = onlyUser === undefined ? 'all' : { userKey: onlyUser };
  const whose = key === undefined ? ofCaller : { subscriptionKey: key };
  const [eventId, objectKey] = [numberOf('event'), numberOf('objectKey')];
  return { call, whose, onlyUser, eventId, objectKey, limit: numberOf('limit')! };
}

/** If there are more, those with a record of the change come first, then the newest. */
const subscriptionsMax = 1_000;

/** By key. `event`: the event that the request names, as a list; it is empty if there is no such event. */
async function findSubscriptions(
  { call: { type, key }, onlyUser, whose, eventId }: DecisionsRequest,
  event: readonly ChangeEvent[] | undefined,
  run: Run,
): Promise<Map<number, NamedSubscriptionRow>> {
  const wanted = { userKey: onlyUser ?? null, types: null, keys: null, subscriptionsMax };
  const find = async (...statements: Statement[]) => {
    const rows = (await run(...statements)).flat() as unknown as NamedSubscriptionRow[];
    return new Map(rows.map((row) => [Number(row.key), row]));
  };
  if (key !== undefined) {
    const found = await find(selectSubscriptionsOf({ ...wanted, keys: [key] }));
    if (found.size === 0) throw notFound(type, key);
    return found;
  }
  if (!event) return find(selectSubscriptionsOf(wanted));
  const eventIds = [eventId!];
  const records = await run(selectNotificationsOf(whose, eventIds), selectRecords('suppressed_match', eventIds, null));
  const keys = (records.flat() as unknown as RecordFound[]).map((record) => Number(record.subscription_key));
  const types = event.flatMap(({ type: { name }, roots }) => [name, ...roots.keys()]);
  return find(selectSubscriptionsOf({ ...wanted, types, keys }), selectSubscriptionsOf({ ...wanted, types }));
}

async function findEvents(model: Model, statement: Statement, run: Run): Promise<ChangeEvent[]> {
  const [rows = []] = await run(statement);
  return (rows as unknown as EventRow[]).flatMap((row) => readEvent(row, model) ?? []);
}

function recentEvents(
  model: Model,
  { objectKey, limit }: DecisionsRequest,
  subscribed: ReadonlySet<string>,
): Statement {
  return selectRecentEvents({
    subscribedTypes: [...subscribed],
    changedTypes: namesBelow(model, subscribed),
    objectKey: objectKey ?? null,
    eventsMax: limit,
  });
}

/** The names of the types that any of the subscriptions is for. */
function subscribedTypes(subscriptions: readonly Subscription[], types: Model['types']): ReadonlySet<string> {
  const named = new Set(subscriptions.flatMap(listOf).map(({ objectType }) => objectType));
  return new Set([...types.keys()].filter((name) => named.has(wildcard) || named.has(name)));
}

/** These types, and all types in the hierarchy of one of them. */
function namesBelow(model: Model, subscribed: ReadonlySet<string>): string[] {
  const types = [...subscribed].flatMap((name) => typesBelow(model, model.types.get(name)!));
  return [...new Set(types.map(({ name }) => name))];
}

/** The rules of matching do not use the condition or the view, so these are not compiled. */
function readRow(row: NamedSubscriptionRow): Subscription[] {
  const eventTypes = readStoredEventTypes(row.event_types);
  if (!eventTypes) return [];
  const parts = {
    eventTypes,
    type: undefined,
    selection: undefined,
    condition: { kind: 'always' },
    snapshot: parseSnapshot(row.created_snapshot),
    scriptFields: undefined,
  } as const;
  return [readSubscription(row, parts)];
}

/** Newest events first, up to the limit. */
function listCandidates(
  events: readonly ChangeEvent[],
  subscriptions: readonly Subscription[],
  types: Model['types'],
  { objectKey, limit }: DecisionsRequest,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const event of events) {
    for (const subscription of subscriptions) {
      for (const candidate of possibleCandidates(event, subscription, types)) {
        if (objectKey !== undefined && objectKey !== event.key && objectKey !== candidate.subscribedKey) continue;
        candidates.push(candidate);
        if (candidates.length === limit) return candidates;
      }
    }
  }
  return candidates;
}
