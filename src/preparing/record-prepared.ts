// Stores what drafts have come to: notifications, why others were held back, what scripts have written. One short transaction, for
// those drafts that are still this claim's.

import type { Database, Statement } from '../database/database.ts';
import type { HandOver } from '../delivery/hand-over.ts';
import { Handing } from '../delivery/handing.ts';
import { printable, recordable } from '../json/printable.ts';
import { insertHeldBack, insertScriptLogs } from '../notifications/held-back-table.ts';
import { insertNotifications, markNotified, type NewNotification } from '../notifications/notification-table.ts';
import { deleteObjectTexts, takeOutDrafts } from '../notifications/unprepared-table.ts';
import { jsonType } from '../payload/render-notification.ts';
import { type MatchingStateRow, selectMatchingState } from '../subscriptions/subscription-table.ts';
import type { HeldBackAllowance } from './held-back-allowance.ts';
import { idOf, type Prepared } from './prepare-drafts.ts';
import { healthStatements } from './shaping-health.ts';

export interface RecordPreparedParts {
  database: Database;
  /** Where notifications go on in memory; undefined where this process does not deliver. */
  handOver: HandOver | undefined;
  allowance: HeldBackAllowance;
}

export interface RecordedDrafts {
  notifications: number;
  heldBack: number;
  handedOn: number;
}

const nobody = { userKey: undefined, client: 'preparing' };

export async function recordPrepared(
  parts: RecordPreparedParts,
  prepared: readonly Prepared[],
  claim: number,
): Promise<RecordedDrafts> {
  const { allowance } = parts;
  const taken = allowance.take(prepared.filter((each) => each.kind === 'heldBack'));
  let unused: readonly Prepared[] = taken;
  try {
    const recorded = await record(parts, { prepared, told: new Set(taken) }, claim);
    unused = taken.filter(({ draft }) => !recorded.keys.has(draft.key));
    return recorded;
  } finally {
    allowance.giveBack(unused);
  }
}

/** `told`: of those that are held back, the ones that are told why. */
function record(
  { database, handOver }: RecordPreparedParts,
  { prepared, told }: { prepared: readonly Prepared[]; told: ReadonlySet<Prepared> },
  claim: number,
): Promise<RecordedDrafts & { keys: ReadonlySet<number> }> {
  return database.transaction(nobody, async ({ run, commitWith }) => {
    const wanted = prepared.map(({ draft }) => draft.key);
    const [taken = [], states = []] = await run(takeOutDrafts(wanted, claim), selectMatchingState());
    const keys = new Set(taken.map(({ key }) => Number(key)));
    const ours = prepared.filter(({ draft }) => keys.has(draft.key));
    const { revision, created_date: createdDate } = states[0] as unknown as MatchingStateRow;
    const handing = new Handing(handOver);
    const rows = ours.flatMap((each) => notificationOf(each, handing, createdDate));
    const heldBack = ours.filter((each) => each.kind === 'heldBack');
    await commitWith(
      ...(rows.length > 0 ? [insertNotifications(rows, { createdDate, workerId: handing.workerId ?? null })] : []),
      ...(rows.length > 0 ? [markNotified([...new Set(rows.map(({ subscriptionKey }) => subscriptionKey))])] : []),
      ...heldBackStatements(heldBack.filter((each) => told.has(each))),
      ...logStatements(ours.filter((each) => each.kind !== 'heldBack' || told.has(each))),
      ...healthStatements(ours),
      deleteObjectTexts([...new Set(ours.map(({ draft }) => draft.eventId))]),
    ).catch((error) => {
      handing.lose();
      throw error;
    });
    const handedOn = handing.handOn(revision);
    return { notifications: rows.length, heldBack: heldBack.length, handedOn, keys };
  });
}

function heldBackStatements(told: readonly (Prepared & { kind: 'heldBack' })[]): Statement[] {
  return told.length > 0 ? [insertHeldBack(told.map(heldBackRow))] : [];
}

function notificationOf(prepared: Prepared, handing: Handing, createdDate: string): NewNotification[] {
  if (prepared.kind !== 'made' && prepared.kind !== 'failed') return [];
  const { draft, subject } = prepared;
  const { key, subscriptionKey, userKey, objectType, objectKey, eventType, subscribedObjectKey, eventTime } = draft;
  const notification: NewNotification = {
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
    isHandedOn: false,
  };
  notification.isHandedOn = handing.choose(notification, createdDate);
  return [notification];
}

function heldBackRow({ draft, reason, message }: Prepared & { kind: 'heldBack' }) {
  const told = message === null ? null : recordable(message);
  const { eventId, subscriptionKey, subscribedObjectKey: objectKey } = draft;
  return { eventId, subscriptionKey, objectKey, reason, message: told };
}

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
