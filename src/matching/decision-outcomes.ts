// What became of each candidate of a decision: what is on record about it, else what the judge says of it.

import type { Run } from '../database/database.ts';
import type { SubscriptionRow } from '../subscriptions/subscription-table.ts';
import { findBegunOrEnded, pairName } from './begun-or-ended.ts';
import { explain, nameState, type Verdict } from './decision-reasons.ts';
import {
  type HeldBackFound,
  type LogFound,
  type NotificationFound,
  type NotificationsOf,
  selectHeldBack,
  selectNotificationsOf,
  selectScriptLogs,
  selectUnmatched,
  selectUnprepared,
} from './decisions-table.ts';
import { type Candidate, isCollecting, judgeCandidate } from './judge-candidate.ts';

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
  /** What its script has written; null where there is none. */
  log: string[] | null;
}

export interface Undecided {
  candidates: readonly Candidate[];
  /** By key: how the subscriptions of the candidates are stored. */
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
  heldBack: ReadonlyMap<string, HeldBackFound>;
  begunOrEnded: ReadonlySet<string>;
  unprepared: ReadonlySet<string>;
  logs: ReadonlyMap<string, string>;
}

async function findRecords(candidates: readonly Candidate[], whose: NotificationsOf, run: Run): Promise<Records> {
  const eventIds = [...new Set(candidates.map(({ event }) => event.id))];
  const subscriptionKeys = [...new Set(candidates.map(({ subscription }) => subscription.key))];
  // The queue first: what is matched in between is found twice, not missed.
  const [unmatched = [], unprepared = [], notifications = [], heldBack = [], logs = []] = await run(
    selectUnmatched(eventIds),
    selectUnprepared(eventIds),
    selectNotificationsOf(whose, eventIds),
    selectHeldBack(eventIds, subscriptionKeys),
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
    unprepared: new Set((unprepared as unknown as Found[]).map(foundAt)),
    heldBack: new Map((heldBack as unknown as HeldBackFound[]).map((found) => [foundAt(found), found])),
    logs: new Map((logs as unknown as LogFound[]).map((found) => [foundAt(found), found.log])),
    begunOrEnded: await findBegunOrEnded(candidates, run),
  };
}

type Found = Pick<HeldBackFound, 'event_id' | 'subscription_key' | 'object_key'>;

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
  const heldBack = records.heldBack.get(placeOf(candidate));
  if (heldBack) return explain(heldBack.reason, heldBack.message);
  const rule = judgeCandidate(candidate, records.begunOrEnded.has(pairName(candidate)));
  if (rule) return explain(rule);
  const inactive = whyInactive(candidate, row, deactivatedKeepMs);
  if (inactive !== undefined) return explain('NOT_ACTIVE', inactive);
  if (records.unprepared.has(placeOf(candidate))) return explain('PREPARING');
  return explain(records.unmatched.has(candidate.event.id) ? 'WAITING' : 'NOT_RECORDED');
}

/** Of a change that came before it was unsubscribed, only one that nothing else can have held back. */
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
