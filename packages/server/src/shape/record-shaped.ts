// Stores the results of shaping: notifications, the reasons of suppressed matches, and script logs. It is one short
// transaction, for the matches that this claim still owns.

import { printable, storableMessage } from '@flaghoist/source-text';
import type { Database, Statement } from '../database/database.ts';
import { isTemporary } from '../database/database-away.ts';
import { type DirectDispatch, DirectDispatchBatch } from '../deliver/lanes/direct-dispatch.ts';
import { insertContents } from '../deliver/queue/content-table.ts';
import { insertNotifications, markNotified, type NewNotification } from '../deliver/queue/notification-table.ts';
import { entryOf } from '../entry-of.ts';
import type { Observe } from '../observe/observation.ts';
import type { Body, Content } from '../render/body.ts';
import { type MatchingStateRow, selectMatchingState } from '../subscriptions/subscription-table.ts';
import { jsonType } from './default-body.ts';
import { idOf, type Shaped } from './shape-matches.ts';
import { healthStatements } from './shaping-health.ts';
import type { SuppressedAllowance } from './suppressed-allowance.ts';
import { insertScriptLogs, insertSuppressed } from './suppressed-table.ts';
import { deleteObjectTexts, takeOutUnshaped } from './unshaped-table.ts';

export interface RecordShapedParts {
  database: Database;
  observe: Observe;
  /** Dispatches notifications directly, in memory; undefined if this process does not deliver. */
  directDispatch: DirectDispatch | undefined;
  allowance: SuppressedAllowance;
  /** Whether the operator is told of scripts and stylesheets that keep failing. */
  hasAlertUrl: boolean;
}

export interface RecordedShaped {
  notifications: number;
  suppressed: number;
  dispatchedDirectly: number;
}

const caller = { userKey: undefined, client: 'shaping' };

/** Only a bug makes a result impossible to store. It delays no other result, and becomes a failed notification. */
export async function recordShaped(
  parts: RecordShapedParts,
  shaped: readonly Shaped[],
  claim: number,
): Promise<RecordedShaped> {
  try {
    return await record(parts, shaped, claim);
  } catch (error) {
    if (isTemporary(error)) throw error;
    const recorded = { notifications: 0, suppressed: 0, dispatchedDirectly: 0 };
    if (shaped.length === 1) {
      parts.observe({ kind: 'shaping.failed', error: error as Error });
      const failed = failedToStore(shaped[0]!);
      return failed ? await recordShaped(parts, [failed], claim) : recorded;
    }
    for (const each of shaped) {
      const { notifications, suppressed, dispatchedDirectly } = await recordShaped(parts, [each], claim);
      recorded.notifications += notifications;
      recorded.suppressed += suppressed;
      recorded.dispatchedDirectly += dispatchedDirectly;
    }
    return recorded;
  }
}

const notStored = 'It could not be stored. See the log of the service.';

/** Undefined if it is this failure that cannot be stored. The match is then shaped again when its lease expires. */
function failedToStore(shaped: Shaped): Shaped | undefined {
  if (shaped.kind === 'failed' && shaped.message === notStored) return undefined;
  const { match, log, isOverTime, tookMs, worked } = shaped;
  const effort = { log, isOverTime, tookMs, worked };
  return { ...effort, match, kind: 'failed', message: notStored, isShaping: false, subject: null };
}

function record(
  { database, directDispatch, allowance, hasAlertUrl }: RecordShapedParts,
  shaped: readonly Shaped[],
  claim: number,
): Promise<RecordedShaped> {
  return database.transaction(caller, async ({ run, commitWith }) => {
    const wanted = shaped.map(({ match }) => match.key);
    const [taken = [], states = []] = await run(takeOutUnshaped(wanted, claim), selectMatchingState());
    const keys = new Set(taken.map(({ key }) => Number(key)));
    const ours = shaped.filter(({ match }) => keys.has(match.key));
    const { revision, created_date: createdDate } = states[0] as unknown as MatchingStateRow;
    const directBatch = new DirectDispatchBatch(directDispatch);
    const share = shareEqual();
    const rows = ours.flatMap((each) => notificationOf(each, { directBatch, createdDate, share }));
    const suppressed = ours.filter((each) => each.kind === 'suppressed');
    const withReason = allowance.take(suppressed);
    const withLog = [...ours.filter((each) => each.kind !== 'suppressed'), ...withReason];
    await commitWith(
      ...insertStatements(rows, { createdDate, workerId: directBatch.workerId ?? null }),
      ...(rows.length > 0 ? [markNotified([...new Set(rows.map(({ subscriptionKey }) => subscriptionKey))])] : []),
      ...(withReason.length > 0 ? [insertSuppressed(withReason.map(suppressedRow))] : []),
      ...logStatements(withLog),
      ...healthStatements(ours, hasAlertUrl),
      deleteObjectTexts([...new Set(ours.map(({ match }) => match.eventId))]),
    );
    const dispatchedDirectly = directBatch.dispatch(revision);
    return { notifications: rows.length, suppressed: suppressed.length, dispatchedDirectly };
  });
}

function insertStatements(
  rows: readonly NewNotification[],
  place: { createdDate: string; workerId: number | null },
): Statement[] {
  if (rows.length === 0) return [];
  const stored = new WeakMap<Content, number>();
  const contents = insertContents(rows, stored, place.createdDate);
  return [...(contents ? [contents] : []), insertNotifications(rows, { ...place, stored })];
}

/** Gives bodies with equal contents the same one, whatever made them. */
function shareEqual(): (body: Body) => Body {
  const contents = new Map<string, Content>();
  return ({ start, content }) => ({ start, content: entryOf(contents, content.text, () => content) });
}

interface Storing {
  directBatch: DirectDispatchBatch;
  createdDate: string;
  share: (body: Body) => Body;
}

function notificationOf(shaped: Shaped, { directBatch, createdDate, share }: Storing): NewNotification[] {
  if (shaped.kind !== 'rendered' && shaped.kind !== 'failed') return [];
  const { match, subject } = shaped;
  const { key, subscriptionKey, userKey, objectType, objectKey, eventType, subscribedObjectKey, occurredAt } = match;
  const notification: NewNotification = {
    key,
    id: idOf(match),
    subscriptionKey,
    userKey,
    objectType,
    objectKey,
    eventType,
    subscribedObjectKey,
    occurredAt,
    contentType: shaped.kind === 'rendered' ? shaped.contentType : jsonType,
    subject,
    body: shaped.kind === 'rendered' ? share(shaped.body) : null,
    errorMessage: shaped.kind === 'failed' ? shaped.message : match.errorMessage,
    isOrdered: match.isOrdered,
    isStreamed: match.isStreamed,
    isDispatchedDirectly: false,
  };
  notification.isDispatchedDirectly = directBatch.choose(notification, createdDate);
  return [notification];
}

function suppressedRow({ match, reason, message }: Shaped & { kind: 'suppressed' }) {
  const { eventId, subscriptionKey, subscribedObjectKey: objectKey } = match;
  return { eventId, subscriptionKey, objectKey, reason, message: message && storableMessage(message) };
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
