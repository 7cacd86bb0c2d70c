// "Why was I notified, and why not?": the outcome of recent changes for one subscription, or for all of a caller's.
// Evaluations are on record. Everything else is judged again from the event, by the rules that matching uses.

import type { Database, Run, Statement } from '../database/database.ts';
import { type ChangeEvent, readEvent } from '../events/change-event.ts';
import type { EventRow } from '../events/event-table.ts';
import { parseSnapshot } from '../events/transaction-snapshot.ts';
import { possibleCandidates } from '../match/find-candidates.ts';
import type { Candidate } from '../match/judge-candidate.ts';
import { typesBelow } from '../model/hierarchy.ts';
import type { Model } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { ActionCall, ActionHandler } from '../objects/action-call.ts';
import { onlyUserFor } from '../objects/caller.ts';
import { notFound } from '../objects/object-errors.ts';
import { keyAndSelfView } from '../query/view.ts';
import { readSubscription, type Subscription } from '../subscriptions/subscription.ts';
import type { SubscriptionRow } from '../subscriptions/subscription-table.ts';
import { findOutcomes } from './decision-outcomes.ts';
import {
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
  /** How long deactivated subscriptions continue to collect. */
  deactivatedKeepMs: number;
}

export function explainDecisions({ database, model, deactivatedKeepMs }: DecisionsParts): ActionHandler {
  const { types } = subscriberModel(model);
  return (call) => {
    const request = readRequest(call);
    const { whose, eventId } = request;
    return database.transaction(call.caller, async ({ run }) => {
      const event = eventId === undefined ? undefined : await findEvents(model, selectOneEvent(eventId), run);
      const rows = await findSubscriptions(request, event, run);
      const subscriptions = [...rows.values()].flatMap((row) => readRow(row, types));
      const events = event ?? (await findEvents(model, recentEvents(model, request, subscriptions), run));
      const candidates = listCandidates(events, subscriptions, request);
      if (candidates.length === 0) return '[]';
      return JSON.stringify(await findOutcomes({ candidates, rows, whose, deactivatedKeepMs }, run));
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
): Promise<Map<number, SubscriptionRow>> {
  const wanted = { userKey: onlyUser ?? null, types: null, keys: null, subscriptionsMax };
  const find = async (...statements: Statement[]) => {
    const rows = (await run(...statements)).flat() as unknown as SubscriptionRow[];
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
  subscriptions: readonly Subscription[],
): Statement {
  const subscribedTypes = new Set(subscriptions.map(({ type }) => type.name));
  return selectRecentEvents({
    subscribedTypes: [...subscribedTypes],
    changedTypes: namesBelow(model, subscribedTypes),
    objectKey: objectKey ?? null,
    eventsMax: limit,
  });
}

/** These types, and all types in the hierarchy of one of them. */
function namesBelow(model: Model, subscribed: ReadonlySet<string>): string[] {
  const types = [...subscribed].flatMap((name) => typesBelow(model, model.types.get(name)!));
  return [...new Set(types.map(({ name }) => name))];
}

/** The rules of matching do not use the condition or the view, so these are not compiled. */
function readRow(row: SubscriptionRow, types: Model['types']): Subscription[] {
  const type = types.get(row.object_type);
  if (!type) return [];
  const parts = {
    type,
    selection: { kind: 'view', view: keyAndSelfView(type) },
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
  { objectKey, limit }: DecisionsRequest,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const event of events) {
    for (const subscription of subscriptions) {
      for (const candidate of possibleCandidates(event, subscription)) {
        if (objectKey !== undefined && objectKey !== event.key && objectKey !== candidate.subscribedKey) continue;
        candidates.push(candidate);
        if (candidates.length === limit) return candidates;
      }
    }
  }
  return candidates;
}
