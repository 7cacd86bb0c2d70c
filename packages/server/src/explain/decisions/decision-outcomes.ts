// Finds the outcome of each candidate of a decision: what is on record, or else what the rules of matching say.

import type { Row, Run } from '../../database/database.ts';
import { type Candidate, isCollecting, judgeCandidates, type RuleReason } from '../../match/judge-candidate.ts';
import { explain, nameState, type Verdict } from '../verdict/decision-reasons.ts';
import { type EvaluationParts, evaluateDecided } from './decision-evaluations.ts';
import {
  type LogFound,
  type NamedSubscriptionRow,
  type NotificationFound,
  type NotificationsOf,
  type RecordFound,
  type SuppressedFound,
  selectNotificationsOf,
  selectRecords,
  selectUnmatched,
} from './decisions-table.ts';

export interface Undecided {
  candidates: readonly Candidate[];
  /** The stored subscriptions of the candidates, by key. */
  rows: ReadonlyMap<number, NamedSubscriptionRow>;
  whose: NotificationsOf;
  deactivatedKeepMs: number;
  evaluation: EvaluationParts;
}

export async function findOutcomes(undecided: Undecided, run: Run) {
  const { candidates, rows, whose, deactivatedKeepMs, evaluation } = undecided;
  const records = await findRecords(candidates, whose, run);
  const decided = candidates.map((candidate) => {
    const row = rows.get(candidate.subscription.key)!;
    const isNotified = records.notifications.has(placeOf(candidate));
    const verdict = isNotified ? explain('NOTIFIED') : judgeAgain({ candidate, row, records, deactivatedKeepMs });
    return { candidate, row, verdict, reason: verdict.reason };
  });
  const evaluations = await evaluateDecided(decided, evaluation, run);
  return decided.map(({ candidate, row, verdict }) => {
    const { event, subscription, subscribedKey } = candidate;
    const notification = records.notifications.get(placeOf(candidate));
    const explained = evaluations.get(candidate);
    return {
      event: event.id,
      eventTime: event.time,
      objectType: event.type.name,
      eventType: event.operation,
      objectKey: event.key,
      subscription: subscription.key,
      subscriptionName: row.name,
      subscribedObjectKey: subscribedKey,
      ...(explained?.decision ? explain(verdict.reason, explained.decision) : verdict),
      notification: notification ? Number(notification.key) : null,
      notificationId: notification?.id ?? null,
      // What the script logged; null if there is no script.
      log: records.logs.get(placeOf(candidate))?.log.split('\n') ?? (row.alert_script_key === null ? null : []),
      evaluation: explained?.evaluation ?? null,
    };
  });
}

interface Records {
  rejected: ReadonlyMap<Candidate, RuleReason>;
  unmatched: ReadonlySet<number>;
  unshaped: ReadonlyMap<string, RecordFound>;
  notifications: ReadonlyMap<string, NotificationFound>;
  suppressed: ReadonlyMap<string, SuppressedFound>;
  logs: ReadonlyMap<string, LogFound>;
}

async function findRecords(candidates: readonly Candidate[], whose: NotificationsOf, run: Run): Promise<Records> {
  const eventIds = [...new Set(candidates.map(({ event }) => event.id))];
  const subscriptionKeys = [...new Set(candidates.map(({ subscription }) => subscription.key))];
  // The queues first: what is matched or shaped meanwhile is then found twice, not missed.
  const [unmatched = [], unshaped = [], notifications = [], suppressed = [], logs = []] = await run(
    selectUnmatched(eventIds),
    selectRecords('unshaped_match', eventIds, subscriptionKeys),
    selectNotificationsOf(whose, eventIds),
    selectRecords('suppressed_match', eventIds, subscriptionKeys),
    selectRecords('script_log', eventIds, subscriptionKeys),
  );
  return {
    rejected: await judgeCandidates(candidates, run),
    unmatched: new Set(unmatched.map(({ event_id }) => Number(event_id))),
    unshaped: byPlace<RecordFound>(unshaped),
    notifications: byPlace<NotificationFound>(notifications),
    suppressed: byPlace<SuppressedFound>(suppressed),
    logs: byPlace<LogFound>(logs),
  };
}

function byPlace<Found extends RecordFound>(rows: Row[]): Map<string, Found> {
  return new Map(
    (rows as unknown as Found[]).map((found) => [
      `${found.event_id} ${found.subscription_key} ${found.object_key}`,
      found,
    ]),
  );
}

function placeOf({ event, subscription, subscribedKey }: Candidate): string {
  return `${event.id} ${subscription.key} ${subscribedKey}`;
}

interface Case {
  candidate: Candidate;
  row: NamedSubscriptionRow;
  records: Records;
  deactivatedKeepMs: number;
}

function judgeAgain({ candidate, row, records, deactivatedKeepMs }: Case): Verdict {
  const suppressed = records.suppressed.get(placeOf(candidate));
  if (suppressed) return explain(suppressed.reason, suppressed.message);
  const rule = records.rejected.get(candidate);
  if (rule) return explain(rule);
  const inactive = whyInactive(candidate, row, deactivatedKeepMs);
  if (inactive !== undefined) return explain('NOT_ACTIVE', inactive);
  if (records.unshaped.has(placeOf(candidate))) return explain('SHAPING');
  return explain(records.unmatched.has(candidate.event.id) ? 'WAITING' : 'NOT_RECORDED');
}

/** For a change before the unsubscribe, the state is the reason only if nothing else can have suppressed the change. */
function whyInactive(
  { event, subscription }: Candidate,
  row: NamedSubscriptionRow,
  deactivatedKeepMs: number,
): string | undefined {
  const { state, state_ms, expression, alert_script_key } = row;
  const isUnconditional = expression === null && alert_script_key === null;
  if (state === 'ACTIVE' || state_ms === null) return undefined;
  if (state === 'UNSUBSCRIBED')
    return Date.parse(`${event.time}Z`) >= state_ms || isUnconditional ? nameState(state, state_ms) : undefined;
  return isCollecting(subscription, event, deactivatedKeepMs) ? undefined : nameState(state, state_ms);
}
