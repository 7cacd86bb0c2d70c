// "Why was I notified, and why not?": the outcome of recent changes for one subscription, or for all of a caller's.
// Evaluations are on record. Everything else is judged again from the event, by the rules that matching uses.

import type { Database, Run } from '../database/database.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { EventRow } from '../events/event-table.ts';
import { readEvent } from '../events/read-event.ts';
import type { Candidate } from '../match/judge-candidate.ts';
import { possibleCandidates } from '../match/possible-candidates.ts';
import { rootPaths } from '../model/hierarchy.ts';
import type { Model } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { ActionCall, ActionHandler } from '../objects/action-call.ts';
import { onlyUserFor } from '../objects/caller.ts';
import { notFound } from '../objects/object-errors.ts';
import { keyAndSelfView } from '../query/view.ts';
import { readSubscription, type Subscription } from '../subscriptions/subscription.ts';
import { type SubscriptionRow, selectSubscription } from '../subscriptions/subscription-table.ts';
import { parseSnapshot } from '../subscriptions/transaction-snapshot.ts';
import { findOutcomes } from './decision-outcomes.ts';
import {
  type NotificationsOf,
  selectNotificationsOf,
  selectOneEvent,
  selectRecentEvents,
  selectSubscriptionsOf,
  selectSuppressed,
} from './decisions-table.ts';

export interface DecisionsParts {
  database: Database;
  model: Model;
  /** How long deactivated subscriptions continue to collect. */
  deactivatedKeepMs: number;
}

export function explainDecisions(parts: DecisionsParts): ActionHandler {
  const asking = { ...parts, types: subscriberModel(parts.model).types };
  return (call) => {
    const asked = readDecisionsRequest(call);
    return parts.database.transaction(call.caller, async ({ run }) => {
      const found = call.key === undefined ? await findOfAll(asking, asked, run) : await findOfOne(asking, asked, run);
      const candidates = listCandidates(found, asked);
      if (candidates.length === 0) return '[]';
      const rows = new Map(found.subscriptions.map(({ row, subscription }) => [subscription.key, row]));
      const { deactivatedKeepMs } = parts;
      return JSON.stringify(await findOutcomes({ candidates, rows, whose: asked.whose, deactivatedKeepMs }, run));
    });
  };
}

interface Asking extends DecisionsParts {
  /** The types as subscribers see them. */
  types: Model['types'];
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

/** If there are more, those with a record of the change come first, then the newest. */
const subscriptionsMax = 1_000;

function readDecisionsRequest(call: ActionCall): DecisionsRequest {
  const { type, key, given, caller } = call;
  const onlyUser = onlyUserFor(type, caller);
  const numberOf = (name: string) => (given.get(name) ? Number(given.get(name)) : undefined);
  const ofCaller = onlyUser === undefined ? 'all' : { userKey: onlyUser };
  const whose = key === undefined ? ofCaller : { subscriptionKey: key };
  return {
    call,
    whose,
    onlyUser,
    eventId: numberOf('event'),
    objectKey: numberOf('objectKey'),
    limit: numberOf('limit')!,
  };
}

/** What to decide on. Newest events first. */
interface Found {
  subscriptions: readonly DecidedSubscription[];
  events: readonly ChangeEvent[];
}

interface DecidedSubscription {
  row: SubscriptionRow;
  subscription: Subscription;
}

async function findOfOne(asking: Asking, asked: DecisionsRequest, run: Run): Promise<Found> {
  const { type, key } = asked.call;
  const [rows = []] = await run(selectSubscription(key!));
  const [row] = rows as unknown as SubscriptionRow[];
  if (!row || (asked.onlyUser !== undefined && Number(row.user) !== asked.onlyUser)) throw notFound(type, key!);
  return findEvents(asking, asked, readRows(asking, [row]), run);
}

async function findOfAll(asking: Asking, asked: DecisionsRequest, run: Run): Promise<Found> {
  const { onlyUser, eventId, whose } = asked;
  const wanted = { userKey: onlyUser ?? null, types: null, keys: null, subscriptionsMax };
  if (eventId === undefined) {
    const [rows = []] = await run(selectSubscriptionsOf(wanted));
    return findEvents(asking, asked, readRows(asking, rows as unknown as SubscriptionRow[]), run);
  }
  const [eventRows = [], ...told] = await run(
    selectOneEvent(eventId),
    selectNotificationsOf(whose, [eventId]),
    selectSuppressed([eventId], null),
  );
  const events = readEvents(asking, eventRows as unknown as EventRow[]);
  const types = events.flatMap(({ type, roots }) => [type.name, ...roots.keys()]);
  const keys = told.flat().map(({ subscription, subscription_key }) => Number(subscription ?? subscription_key));
  const found = await run(
    selectSubscriptionsOf({ ...wanted, types, keys }),
    selectSubscriptionsOf({ ...wanted, types }),
  );
  const rows = new Map((found.flat() as unknown as SubscriptionRow[]).map((row) => [row.key, row]));
  return { events, subscriptions: readRows(asking, [...rows.values()]) };
}

async function findEvents(
  asking: Asking,
  { eventId, objectKey, limit }: DecisionsRequest,
  subscriptions: DecidedSubscription[],
  run: Run,
): Promise<Found> {
  const subscribedTypes = [...new Set(subscriptions.map(({ subscription }) => subscription.type.name))];
  const changedTypes = typesBelow(asking.model, new Set(subscribedTypes));
  const [rows = []] = await run(
    eventId === undefined
      ? selectRecentEvents({ subscribedTypes, changedTypes, objectKey: objectKey ?? null, eventsMax: limit })
      : selectOneEvent(eventId),
  );
  return { subscriptions, events: readEvents(asking, rows as unknown as EventRow[]) };
}

/** These types, and all types in the hierarchy of one of them. */
function typesBelow(model: Model, subscribed: ReadonlySet<string>): string[] {
  return [...model.types.values()]
    .filter((type) => subscribed.has(type.name) || rootPaths(model, type).some(({ root }) => subscribed.has(root.name)))
    .filter(({ makesEvents }) => makesEvents)
    .map(({ name }) => name);
}

function readEvents({ model }: Asking, rows: readonly EventRow[]): ChangeEvent[] {
  return rows.flatMap((row) => readEvent(row, model) ?? []);
}

/** The rules of matching do not use the condition or the view, so these are not compiled. */
function readRows({ types }: Asking, rows: readonly SubscriptionRow[]): DecidedSubscription[] {
  return rows.flatMap((row) => {
    const type = types.get(row.object_type);
    if (!type) return [];
    const unread = {
      selection: { kind: 'view', view: keyAndSelfView(type) },
      condition: { kind: 'always' },
      scriptFields: undefined,
    } as const;
    return {
      row,
      subscription: readSubscription(row, { type, ...unread, snapshot: parseSnapshot(row.created_snapshot) }),
    };
  });
}

/** Newest events first, up to the limit. */
function listCandidates({ subscriptions, events }: Found, { objectKey, limit }: DecisionsRequest): Candidate[] {
  const candidates: Candidate[] = [];
  for (const event of events) {
    for (const { subscription } of subscriptions) {
      for (const candidate of possibleCandidates(event, subscription)) {
        if (objectKey !== undefined && objectKey !== event.key && objectKey !== candidate.subscribedKey) continue;
        candidates.push(candidate);
        if (candidates.length === limit) return candidates;
      }
    }
  }
  return candidates;
}
