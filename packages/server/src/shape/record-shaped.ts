// Stores the results of shaping: notifications, the reasons of suppressed matches, and script logs. It is one short
// transaction, for the matches that this claim still owns.

import { printable, recordable } from '@flaghoist/source-text';
import type { Database, Statement } from '../database/database.ts';
import type { DirectDispatch } from '../deliver/lanes/direct-dispatch.ts';
import { DirectDispatchBatch } from '../deliver/lanes/direct-dispatch-batch.ts';
import { insertNotifications, markNotified, type NewNotification } from '../deliver/queue/notification-table.ts';
import { jsonType } from '../render/render-notification.ts';
import { type MatchingStateRow, selectMatchingState } from '../subscriptions/subscription-table.ts';
import { idOf, type Shaped } from './shape-matches.ts';
import { healthStatements } from './shaping-health.ts';
import type { SuppressedAllowance } from './suppressed-allowance.ts';
import { insertScriptLogs, insertSuppressed } from './suppressed-table.ts';
import { deleteObjectTexts, takeOutUnshaped } from './unshaped-table.ts';

export interface RecordShapedParts {
  database: Database;
  /** Dispatches notifications directly, in memory; undefined if this process does not deliver. */
  directDispatch: DirectDispatch | undefined;
  allowance: SuppressedAllowance;
}

export interface RecordedShaped {
  notifications: number;
  suppressed: number;
  dispatchedDirectly: number;
}

const nobody = { userKey: undefined, client: 'preparing' };

export async function recordShaped(
  parts: RecordShapedParts,
  shaped: readonly Shaped[],
  claim: number,
): Promise<RecordedShaped> {
  const { allowance } = parts;
  const taken = allowance.take(shaped.filter((each) => each.kind === 'suppressed'));
  let unused: readonly Shaped[] = taken;
  try {
    const recorded = await record(parts, { shaped, told: new Set(taken) }, claim);
    unused = taken.filter(({ match }) => !recorded.keys.has(match.key));
    return recorded;
  } finally {
    allowance.giveBack(unused);
  }
}

/** `told`: the suppressed matches whose reason is recorded. */
function record(
  { database, directDispatch }: RecordShapedParts,
  { shaped, told }: { shaped: readonly Shaped[]; told: ReadonlySet<Shaped> },
  claim: number,
): Promise<RecordedShaped & { keys: ReadonlySet<number> }> {
  return database.transaction(nobody, async ({ run, commitWith }) => {
    const wanted = shaped.map(({ match }) => match.key);
    const [taken = [], states = []] = await run(takeOutUnshaped(wanted, claim), selectMatchingState());
    const keys = new Set(taken.map(({ key }) => Number(key)));
    const ours = shaped.filter(({ match }) => keys.has(match.key));
    const { revision, created_date: createdDate } = states[0] as unknown as MatchingStateRow;
    const directBatch = new DirectDispatchBatch(directDispatch);
    const rows = ours.flatMap((each) => notificationOf(each, directBatch, createdDate));
    const suppressed = ours.filter((each) => each.kind === 'suppressed');
    await commitWith(
      ...(rows.length > 0 ? [insertNotifications(rows, { createdDate, workerId: directBatch.workerId ?? null })] : []),
      ...(rows.length > 0 ? [markNotified([...new Set(rows.map(({ subscriptionKey }) => subscriptionKey))])] : []),
      ...suppressedStatements(suppressed.filter((each) => told.has(each))),
      ...logStatements(ours.filter((each) => each.kind !== 'suppressed' || told.has(each))),
      ...healthStatements(ours),
      deleteObjectTexts([...new Set(ours.map(({ match }) => match.eventId))]),
    );
    const dispatchedDirectly = directBatch.dispatch(revision);
    return { notifications: rows.length, suppressed: suppressed.length, dispatchedDirectly, keys };
  });
}

function suppressedStatements(told: readonly (Shaped & { kind: 'suppressed' })[]): Statement[] {
  return told.length > 0 ? [insertSuppressed(told.map(suppressedRow))] : [];
}

function notificationOf(shaped: Shaped, directBatch: DirectDispatchBatch, createdDate: string): NewNotification[] {
  if (shaped.kind !== 'made' && shaped.kind !== 'failed') return [];
  const { match, subject } = shaped;
  const { key, subscriptionKey, userKey, objectType, objectKey, eventType, subscribedObjectKey, eventTime } = match;
  const notification: NewNotification = {
    key,
    id: idOf(match),
    subscriptionKey,
    userKey,
    objectType,
    objectKey,
    eventType,
    subscribedObjectKey,
    eventTime,
    contentType: shaped.kind === 'made' ? shaped.contentType : jsonType,
    subject,
    body: shaped.kind === 'made' ? shaped.body : null,
    errorMessage: shaped.kind === 'failed' ? shaped.message : match.errorMessage,
    isDispatchedDirectly: false,
  };
  notification.isDispatchedDirectly = directBatch.choose(notification, createdDate);
  return [notification];
}

function suppressedRow({ match, reason, message }: Shaped & { kind: 'suppressed' }) {
  const told = message === null ? null : recordable(message);
  const { eventId, subscriptionKey, subscribedObjectKey: objectKey } = match;
  return { eventId, subscriptionKey, objectKey, reason, message: told };
}

function logStatements(ours: readonly Shaped[]): Statement[] {
  const rows = ours.flatMap(({ match, log }) => {
    if (log.length === 0) return [];
    const { eventId, subscriptionKey, subscribedObjectKey: objectKey } = match;
    return [{ eventId, subscriptionKey, objectKey, log: log.map(oneLine).join('\n') }];
  });
  return rows.length > 0 ? [insertScriptLogs(rows)] : [];
}

/** PostgreSQL cannot store NUL, and a line feed separates the lines of a log. */
function oneLine(text: string): string {
  return printable(text.replaceAll('\n', '⏎'));
}
