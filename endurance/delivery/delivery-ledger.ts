// The balance of a run: compares the log of every notification with what the receivers got. Pure.

import type { Finding } from '../finding.ts';
import {
  expectedOf,
  type FoundChange,
  type Hearers,
  type RunSubscription,
} from '../matching/matching-subscriptions.ts';
import type { FoundNotification } from '../matching/matching-table.ts';
import type { NotificationRecord, SubscriptionRecord } from './delivery-table.ts';
import type { Arrival, Received } from './receivers.ts';

/** All times by the same clock, in milliseconds. */
export interface DeliveryLedger {
  records: readonly NotificationRecord[];
  subscriptions: readonly SubscriptionRecord[];
  received: ReadonlyMap<string, Received>;
  /** Kills, and times in which a process was halted. */
  interruptions: readonly Interruption[];
  /** Subscription → time of the last response that confirmed the unsubscribe. */
  unsubscribedAt: ReadonlyMap<number, number>;
  /** Subscription → number of alerts. */
  alerts: ReadonlyMap<number, number>;
  attemptsMax: number;
  inFlightMax: number;
}

export interface Interruption {
  from: number;
  until: number;
}

export interface DeliveryBalance {
  delivered: number;
  /** Reason → count. */
  failed: ReadonlyMap<string, number>;
  attempts: number;
  arrivals: number;
  /** Sent again after a 200: because of an interruption, or because the response came too late. */
  againAfterInterruption: number;
  againAfterTimeout: number;
  /** The maximum that can be explained. */
  againMax: number;
  /** Accepted by the receiver but recorded as failed: the outcome was not stored before its subscription ended. */
  takenAndFailed: number;
  /** How long after the end of a subscription its last notification was sent. */
  lastAfterEndMs: number;
  alertsAgain: number;
  findings: Finding[];
}

/** After the end of a subscription, notifications in flight are still sent. */
const graceMs = 4_000;
/** An outcome is recorded within this time, unless an interruption came in between. */
const recordMs = 3_000;

export function balanceDeliveries(ledger: DeliveryLedger): DeliveryBalance {
  const { records, subscriptions, received, interruptions, inFlightMax } = ledger;
  const byKey = new Map(subscriptions.map((subscription) => [subscription.key, subscription]));
  const known = new Set(records.map(({ id }) => id));
  const sentAgain = judgeRepeats(ledger);
  const afterEnd = judgeAfterEnd(ledger);
  const alerts = judgeAlerts(ledger);
  const strangers = [...received.keys()].filter((id) => !known.has(id));
  return {
    delivered: records.filter(({ status }) => status === 'DELIVERED').length,
    failed: countBy(records.flatMap(({ status, error }) => (status === 'FAILED' ? [String(error)] : []))),
    attempts: records.reduce((sum, { attempts }) => sum + attempts, 0),
    arrivals: [...received.values()].reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    ...sentAgain,
    againMax: inFlightMax * interruptions.length,
    takenAndFailed: records.filter(({ id, status }) => status === 'FAILED' && isTaken(received.get(id), '200')).length,
    lastAfterEndMs: afterEnd.lastMs,
    alertsAgain: alerts.again,
    findings: [
      ...records.flatMap((record) => judgeRecord(record, byKey.get(record.subscription), ledger)),
      ...strangers.map((id): Finding => ({ kind: 'notification too many', text: `${id} was sent and is not known` })),
      ...sentAgain.findings,
      ...afterEnd.findings,
      ...alerts.findings,
    ],
  };
}

function judgeRecord(
  record: NotificationRecord,
  subscription: SubscriptionRecord | undefined,
  { received, attemptsMax }: DeliveryLedger,
): Finding[] {
  const { id, status, error, attempts, logged, digest } = record;
  const sent = received.get(id);
  const text =
    `${id} of ${subscription?.key} (${subscription?.state}): ${status}, ${attempts} attempts, ${error}, sent ` +
    `${sent?.arrivals.length ?? 0} times`;
  const findings: Finding[] = [];
  if (status === 'PENDING') findings.push({ kind: 'notification left', text });
  if (status === 'DELIVERED' && !isTaken(sent, '200') && !isTaken(sent, 'late'))
    findings.push({ kind: 'delivered to nobody', text });
  if (status === 'FAILED' && !hasCause(record, subscription, attemptsMax))
    findings.push({ kind: 'failed without cause', text });
  // One that is recorded late, by a process that was declared dead, counts beside the attempts of the other one.
  if (attempts !== logged || attempts > attemptsMax + 1 || (status === 'DELIVERED' && attempts === 0))
    findings.push({ kind: 'wrong attempts', text: `${text}, ${logged} in the log` });
  if (sent && (!sent.isSame || sent.digest !== digest)) findings.push({ kind: 'wrong body', text });
  return findings;
}

/** Either its attempts are exhausted, or its subscription has ended. Exhausted attempts end the subscription. */
function hasCause(
  { error, attempts }: NotificationRecord,
  subscription: SubscriptionRecord | undefined,
  attemptsMax: number,
): boolean {
  if (error === null || !subscription) return false;
  const isEnded = subscription.state !== 'ACTIVE';
  return subscription.doNotUnsubscribe && !isEnded ? attempts >= attemptsMax : isEnded;
}

function isTaken(sent: Received | undefined, said: Arrival['said']): boolean {
  return sent?.arrivals.some((arrival) => arrival.said === said) ?? false;
}

/** Every request after a 200 is a duplicate, and an interruption must explain why the outcome was not recorded. */
function judgeRepeats({ records, received, interruptions, inFlightMax }: DeliveryLedger) {
  const findings: Finding[] = [];
  const logged = new Map(records.map(({ id, attempts }) => [id, attempts]));
  let [againAfterInterruption, againAfterTimeout] = [0, 0];
  for (const [id, { arrivals }] of received) {
    const taken = arrivals.findIndex(({ said }) => said === '200' || said === 'late');
    if (taken < 0 || taken === arrivals.length - 1) continue;
    if (arrivals[taken]!.said === 'late') againAfterTimeout += arrivals.length - 1 - taken;
    else againAfterInterruption += arrivals.length - 1 - taken;
    const at = arrivals[taken]!.at;
    // On a busy machine, the sender may read a timely response too late. Then each request is an attempt in the log.
    const isLogged = logged.get(id) === arrivals.length;
    const isExplained =
      isLogged || interruptions.some(({ from, until }) => from - recordMs < at && at < until + recordMs);
    if (arrivals[taken]!.said === '200' && !isExplained)
      findings.push({ kind: 'sent again without cause', text: `${id}: ${renderArrivals(arrivals)}` });
  }
  if (againAfterInterruption > inFlightMax * interruptions.length)
    findings.push({ kind: 'sent again without cause', text: `${againAfterInterruption} in all` });
  return { againAfterInterruption, againAfterTimeout, findings };
}

function renderArrivals(arrivals: readonly Arrival[]): string {
  return arrivals.map(({ at, said }) => `${said} at ${Math.round(at)}`).join(', ');
}

function judgeAfterEnd({ records, subscriptions, received, unsubscribedAt, interruptions }: DeliveryLedger) {
  const ends = new Map(subscriptions.map(({ key, deactivatedMs }) => [key, deactivatedMs ?? Number.POSITIVE_INFINITY]));
  for (const [key, at] of unsubscribedAt) ends.set(key, Math.min(at, ends.get(key) ?? at));
  const findings: Finding[] = [];
  let lastMs = 0;
  for (const { id, subscription } of records) {
    const last = received.get(id)?.arrivals.at(-1);
    const end = ends.get(subscription);
    if (!last || end === undefined || last.at <= end) continue;
    const afterMs = last.at - end;
    lastMs = Math.max(lastMs, afterMs);
    // A halted process learns of the end when it continues.
    const wasHalted = interruptions.some(
      ({ from, until }) => from <= last.at && last.at < until + graceMs && until > end,
    );
    if (afterMs > graceMs && !wasHalted)
      findings.push({ kind: 'sent after the end', text: `${id} of ${subscription}, ${Math.round(afterMs)} ms after` });
  }
  return { lastMs, findings };
}

function judgeAlerts({ subscriptions, records, alerts, attemptsMax }: DeliveryLedger) {
  const usedUp = new Set(
    records.flatMap(({ subscription, attempts }) => (attempts >= attemptsMax ? [subscription] : [])),
  );
  const findings: Finding[] = [];
  let again = 0;
  for (const { key, state, deactivations, doNotUnsubscribe } of subscriptions) {
    const found = alerts.get(key) ?? 0;
    const text = `${key} (${state}): deactivated ${deactivations} times, ${found} alerts`;
    const isWrong =
      deactivations > 1 ||
      (state === 'DEACTIVATED' && deactivations === 0) ||
      (deactivations > 0 && doNotUnsubscribe) ||
      (deactivations > 0 && !usedUp.has(key)) ||
      Math.min(found, 1) !== deactivations;
    if (isWrong) findings.push({ kind: 'wrong alert', text });
    again += Math.max(0, found - 1);
  }
  return { again, findings };
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** What was matched at the time of an unsubscribe. */
export interface Ending {
  subscription: RunSubscription;
  /** All events before this one were matched before. */
  matched: number;
  /** All events after this one came after. */
  last: number;
}

/** Changes unmatched at the unsubscribe may or may not be notified. All earlier ones are, and no later ones. */
export function judgeEnded(
  endings: readonly Ending[],
  found: { changes: readonly FoundChange[]; notifications: readonly FoundNotification[]; hearers: Hearers },
): Finding[] {
  const named = new Map<string, FoundNotification[]>();
  for (const notification of found.notifications) {
    const key = notification.name.split(' ')[0]!;
    const others = named.get(key);
    if (others) others.push(notification);
    else named.set(key, [notification]);
  }
  return endings.flatMap(({ subscription, matched, last }) => {
    const own = named.get(String(subscription.key)) ?? [];
    const counts = countBy(own.map(({ eventId, name }) => `${eventId} ${name}`));
    const findings: Finding[] = [];
    for (const change of found.changes) {
      if (subscription.objectKey !== change.key || change.id >= matched - idsInDoubt) continue;
      for (const name of expectedOf(change, [subscription], found.hearers))
        if (!counts.has(`${change.id} ${name}`))
          findings.push({ kind: 'notification missing', text: `event ${change.id}: ${name}, which ended later` });
    }
    for (const [name, count] of counts) {
      if (count > 1) findings.push({ kind: 'notification twice', text: name });
      if (Number(name.split(' ')[0]) > last + idsInDoubt)
        findings.push({ kind: 'notification too many', text: `${name}, after event ${last} it had ended` });
    }
    return findings;
  });
}

/** Transactions in progress at that moment. */
const idsInDoubt = 300;
