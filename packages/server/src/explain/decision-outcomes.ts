// Finds the outcome of each candidate of a decision: what is on record, or else what the rules of matching say.

import type { Run } from '../database/database.ts';
import { findCreatedOrDeleted, pairName } from '../match/created-or-deleted.ts';
import { type Candidate, isCollecting, judgeCandidate } from '../match/judge-candidate.ts';
import type { SubscriptionRow } from '../subscriptions/subscription-table.ts';
import { explain, nameState, type Verdict } from './decision-reasons.ts';
import {
  type LogFound,
  type NotificationFound,
  type NotificationsOf,
  type SuppressedFound,
  selectNotificationsOf,
  selectScriptLogs,
  selectSuppressed,
  selectUnmatched,
  selectUnshaped,
} from './decisions-table.ts';

export interface Decision extends Verdict {
  event: number;
  eventTime: string;
  objectType: string;
  eventType: string;
  objectKey: number;
  subscription: number;
  subscribedObjectKey: number;
  notification: number | null;
  notificationId: string | null;
  /** What the script logged; null if there is no script. */
  log: string[] | null;
}

export interface Undecided {
  candidates: readonly Candidate[];
  /** The stored subscriptions of the candidates, by key. */
  rows: ReadonlyMap<number, SubscriptionRow>;
  whose: NotificationsOf;
  deactivatedKeepMs: number;
}

export async function findOutcomes(undecided: Undecided, run: Run): Promise<Decision[]> {
  const { candidates, rows, whose, deactivatedKeepMs } = undecided;
  const records = await findRecords(candidates, whose, run);
  return candidates.map((candidate) => {
    const row = rows.get(candidate.subscription.key)!;
    const notification = records.notifications.get(placeOf(candidate));
    return {
      ...placedIn(candidate),
      ...(notification ? explain('NOTIFIED') : judgeAgain({ candidate, row, records, deactivatedKeepMs })),
      notification: notification ? Number(notification.key) : null,
      notificationId: notification?.id ?? null,
      log: records.logs.get(placeOf(candidate))?.split('\n') ?? (row.alert_script_key === null ? null : []),
    };
  });
}

function placedIn({ event, subscription, subscribedKey }: Candidate) {
  return {
    event: event.id,
    eventTime: event.time,
    objectType: event.type.name,
    eventType: event.operation,
    objectKey: event.key,
    subscription: subscription.key,
    subscribedObjectKey: subscribedKey,
  };
}

interface Records {
  unmatched: ReadonlySet<number>;
  notifications: ReadonlyMap<string, NotificationFound>;
  suppressed: ReadonlyMap<string, SuppressedFound>;
  createdOrDeleted: ReadonlySet<string>;
  unshaped: ReadonlySet<string>;
  logs: ReadonlyMap<string, string>;
}

async function findRecords(candidates: readonly Candidate[], whose: NotificationsOf, run: Run): Promise<Records> {
  const eventIds = [...new Set(candidates.map(({ event }) => event.id))];
  const subscriptionKeys = [...new Set(candidates.map(({ subscription }) => subscription.key))];
  // The queues first: what is matched or shaped meanwhile is then found twice, not missed.
  const [unmatched = [], unshaped = [], notifications = [], suppressed = [], logs = []] = await run(
    selectUnmatched(eventIds),
    selectUnshaped(eventIds),
    selectNotificationsOf(whose, eventIds),
    selectSuppressed(eventIds, subscriptionKeys),
    selectScriptLogs(eventIds, subscriptionKeys),
  );
  return {
    unmatched: new Set(unmatched.map(({ event_id }) => Number(event_id))),
    notifications: new Map(
      (notifications as unknown as NotificationFound[]).map((found) => [
        `${found.event_id} ${found.subscription} ${found.subscribed_object_key}`,
        found,
      ]),
    ),
    unshaped: new Set((unshaped as unknown as Found[]).map(foundAt)),
    suppressed: new Map((suppressed as unknown as SuppressedFound[]).map((found) => [foundAt(found), found])),
    logs: new Map((logs as unknown as LogFound[]).map((found) => [foundAt(found), found.log])),
    createdOrDeleted: await findCreatedOrDeleted(candidates, run),
  };
}

type Found = Pick<SuppressedFound, 'event_id' | 'subscription_key' | 'object_key'>;

function foundAt({ event_id, subscription_key, object_key }: Found): string {
  return `${event_id} ${subscription_key} ${object_key}`;
}

function placeOf({ event, subscription, subscribedKey }: Candidate): string {
  return `${event.id} ${subscription.key} ${subscribedKey}`;
}

interface Case {
  candidate: Candidate;
  row: SubscriptionRow;
  records: Records;
  deactivatedKeepMs: number;
}

function judgeAgain({ candidate, row, records, deactivatedKeepMs }: Case): Verdict {
  const suppressed = records.suppressed.get(placeOf(candidate));
  if (suppressed) return explain(suppressed.reason, suppressed.message);
  const rule = judgeCandidate(candidate, records.createdOrDeleted.has(pairName(candidate)));
  if (rule) return explain(rule);
  const inactive = whyInactive(candidate, row, deactivatedKeepMs);
  if (inactive !== undefined) return explain('NOT_ACTIVE', inactive);
  if (records.unshaped.has(placeOf(candidate))) return explain('SHAPING');
  return explain(records.unmatched.has(candidate.event.id) ? 'WAITING' : 'NOT_RECORDED');
}

/** For a change before the unsubscribe, the state is the reason only if nothing else can have suppressed the change. */
function whyInactive(
  { event, subscription }: Candidate,
  row: SubscriptionRow,
  deactivatedKeepMs: number,
): string | undefined {
  const { state, state_ms, expression, alert_script_key } = row;
  const isUnconditional = expression === null && alert_script_key === null;
  if (state === 'ACTIVE' || state_ms === null) return undefined;
  if (state === 'UNSUBSCRIBED')
    return Date.parse(`${event.time}Z`) >= state_ms || isUnconditional ? nameState(state, state_ms) : undefined;
  return isCollecting(subscription, event, deactivatedKeepMs) ? undefined : nameState(state, state_ms);
}
