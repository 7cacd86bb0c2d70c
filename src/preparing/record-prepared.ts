// Stores what drafts have come to: notifications, why others were held back, what scripts have written. One short transaction, for
// those drafts that are still this claim's.

import type { Database, Statement } from '../database/database.ts';
import type { HandOver } from '../delivery/hand-over.ts';
import { Handing } from '../delivery/handing.ts';
import { printable } from '../json/printable.ts';
import { insertHeldBack, insertScriptLogs } from '../notifications/held-back-table.ts';
import { insertNotifications, markNotified, type NewNotification } from '../notifications/notification-table.ts';
import { healShaping, raiseShapingFailures, type ShapingFailure } from '../notifications/shaping-health-table.ts';
import { deleteObjectTexts, takeOutDrafts } from '../notifications/unprepared-table.ts';
import { jsonType } from '../payload/render-notification.ts';
import { selectSubscriptionRevision } from '../subscriptions/subscription-table.ts';
import { idOf, type Prepared } from './prepare-drafts.ts';

export interface RecordPreparedParts {
  database: Database;
  /** Where notifications go on in memory; undefined where this process does not deliver. */
  handOver: HandOver | undefined;
}

export interface RecordedDrafts {
  notifications: number;
  heldBack: number;
  handedOn: number;
}

const nobody = { userKey: undefined, client: 'preparing' };

export function recordPrepared(
  { database, handOver }: RecordPreparedParts,
  prepared: readonly Prepared[],
  claim: number,
): Promise<RecordedDrafts> {
  return database.transaction(nobody, async ({ run, commitWith }) => {
    const keys = prepared.map(({ draft }) => draft.key);
    const [taken = [], revisions = []] = await run(takeOutDrafts(keys, claim), selectSubscriptionRevision());
    const still = new Set(taken.map(({ key }) => Number(key)));
    const ours = prepared.filter(({ draft }) => still.has(draft.key));
    const { revision, created_date: createdDate } = revisions[0] as { revision: string; created_date: string };
    const handing = new Handing(handOver);
    const rows = ours.flatMap((each) => notificationOf(each, handing, createdDate));
    const heldBack = ours.filter((each) => each.kind === 'heldBack');
    await commitWith(
      ...(rows.length > 0 ? [insertNotifications(rows, { createdDate, workerId: handing.workerId ?? null })] : []),
      ...(rows.length > 0 ? [markNotified([...new Set(rows.map(({ subscriptionKey }) => subscriptionKey))])] : []),
      ...(heldBack.length > 0 ? [insertHeldBack(heldBack.map(heldBackRow))] : []),
      ...logStatements(ours),
      ...healthStatements(ours),
      deleteObjectTexts([...new Set(ours.map(({ draft }) => draft.eventId))]),
    ).catch((error) => {
      handing.lose();
      throw error;
    });
    return { notifications: rows.length, heldBack: heldBack.length, handedOn: handing.handOn(Number(revision)) };
  });
}

function notificationOf(prepared: Prepared, handing: Handing, createdDate: string): NewNotification[] {
  if (prepared.kind !== 'made' && prepared.kind !== 'failed') return [];
  const { draft, subject } = prepared;
  const { key, subscriptionKey, userKey, objectType, objectKey, eventType, subscribedObjectKey, eventTime } = draft;
  const notification = {
    key,
    id: idOf(draft),
    subscriptionKey,
    userKey,
    objectType,
    objectKey,
    eventType,
    subscribedObjectKey,
    eventTime,
    contentType: prepared.kind === 'made' ? prepared.contentType : jsonType,
    subject,
    body: prepared.kind === 'made' ? prepared.body : null,
    errorMessage: prepared.kind === 'failed' ? prepared.message : draft.errorMessage,
  };
  return [{ ...notification, isHandedOn: handing.choose(notification, createdDate) }];
}

function heldBackRow({ draft, reason, message }: Prepared & { kind: 'heldBack' }) {
  const told = message === null ? null : printable(message).slice(0, messageLengthMax);
  const { eventId, subscriptionKey, subscribedObjectKey: objectKey } = draft;
  return { eventId, subscriptionKey, objectKey, reason, message: told };
}

const messageLengthMax = 2_000;

function logStatements(ours: readonly Prepared[]): Statement[] {
  const rows = ours.flatMap(({ draft, log }) => {
    if (log.length === 0) return [];
    const { eventId, subscriptionKey, subscribedObjectKey: objectKey } = draft;
    return [{ eventId, subscriptionKey, objectKey, log: log.map(oneLine).join('\n') }];
  });
  return rows.length > 0 ? [insertScriptLogs(rows)] : [];
}

/** PostgreSQL stores no NUL, and lines are told apart by their ends. */
function oneLine(text: string): string {
  return printable(text.replaceAll('\n', '⏎'));
}

/** A failure counts from the last success on. */
function healthStatements(ours: readonly Prepared[]): Statement[] {
  const healed = new Set<number>();
  const failing = new Map<number, ShapingFailure>();
  for (const prepared of ours) {
    const { subscriptionKey } = prepared.draft;
    const message = whyShapingFailed(prepared);
    if (message === undefined) {
      healed.add(subscriptionKey);
      failing.delete(subscriptionKey);
      continue;
    }
    const failures = (failing.get(subscriptionKey)?.failures ?? 0) + 1;
    failing.set(subscriptionKey, { subscriptionKey, failures, message });
  }
  return [
    ...(healed.size > 0 ? [healShaping([...healed])] : []),
    ...(failing.size > 0 ? [raiseShapingFailures([...failing.values()])] : []),
  ];
}

function whyShapingFailed(prepared: Prepared): string | undefined {
  if (prepared.kind === 'failed' && prepared.isShaping) return prepared.message;
  if (prepared.kind !== 'heldBack' || prepared.reason !== 'SCRIPT_ERROR') return undefined;
  return printable(prepared.message ?? '').slice(0, messageLengthMax);
}
