// The actions of a streamed subscription: `stream`, `pull` and `acknowledge`. Any process answers any of them.

import type { ChannelType } from '../../channel-types.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import { type ActionHandler, type ObjectCall, onObject, type StreamHandler } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { notFound, rejectViolations } from '../../objects/object-errors.ts';
import type { Observe } from '../../observe/observation.ts';
import { judge } from '../../subscriptions/state-machine.ts';
import { type OrderedObject, promoteHeads } from '../order/order-table.ts';
import { readChosenKeys } from '../resend/selected-notifications.ts';
import { newLeaseId, type StreamedNotification } from './consumer.ts';
import { EventStream } from './event-stream.ts';
import { Pull } from './pull.ts';
import type { StreamHub } from './stream-hub.ts';
import {
  type AcknowledgedRow,
  acknowledge,
  type LeaseRequest,
  leaseSentBefore,
  type StreamRow,
  selectSentUpTo,
  selectStream,
} from './stream-table.ts';

export interface StreamParts {
  database: Database;
  /** For statements that are planned for queues. */
  queueDatabase: Database;
  observe: Observe;
  hub: StreamHub;
  /** Wakes the streams of these subscriptions, in whatever process. */
  wakeStreams(subscriptionKeys: Iterable<number>): void;
  /** The same for consumers of this subscription that had as many as they could take. */
  wakeWaiting(subscriptionKey: number): void;
}

/** At most this many connections and waiting pulls per subscription and process. */
const consumersMax = 100;
/** With `waitSeconds` 0, how long a pull waits for the database. */
const answerMs = 10_000;
/** How many notifications `Last-Event-ID` sets aside. Further ones are sent again. */
const sentBeforeMax = 10_000;
/** More than a connection is sent at a time, which is 1,000. Leases that have run out may come on top. */
const upToMax = 10_000;

export function streamActions(parts: StreamParts): Map<string, ActionHandler> {
  return new Map<string, ActionHandler>([
    ['WebhookSubscription.pull', onObject((call) => pull(parts, call))],
    ['WebhookSubscription.acknowledge', onObject((call) => acknowledgeNotifications(parts, call))],
  ]);
}

/** Resolves when the connection is open. */
export function openStream(parts: StreamParts): StreamHandler {
  const { hub, database } = parts;
  return async (call, openResponse) => {
    const request = await leaseRequest(parts, call);
    try {
      const lastKey = Number(call.lastEventId);
      if (Number.isSafeInteger(lastKey) && lastKey > 0)
        await database.run(leaseSentBefore(request, lastKey, sentBeforeMax), call.caller);
      rejectTooMany(parts, call.key);
      const stream: EventStream = new EventStream(request, openResponse(), {
        onReady: () => hub.wake([request.subscriptionKey]),
        onClosed: () => hub.remove(stream, true),
      });
      hub.add(stream);
    } catch (error) {
      hub.release(request);
      throw error;
    }
  };
}

async function pull(parts: StreamParts, call: ObjectCall): Promise<string> {
  const request = await leaseRequest(parts, call);
  const waitMs = Number(call.given.get('waitSeconds')) * 1_000;
  const notifications = await new Promise<readonly StreamedNotification[]>((resolve) => {
    const waiting = new Pull(request, waitMs > 0, (taken) => {
      clearTimeout(timer);
      parts.hub.remove(waiting, false);
      resolve(taken);
    });
    const timer = setTimeout(() => waiting.end(), waitMs === 0 ? answerMs : waitMs);
    call.signal?.addEventListener('abort', () => waiting.end());
    // The client may have gone before.
    if (call.signal?.aborted) waiting.end();
    else parts.hub.add(waiting);
  });
  return JSON.stringify(notifications);
}

async function acknowledgeNotifications(parts: StreamParts, call: ObjectCall): Promise<string> {
  const { database, observe, hub, wakeStreams, wakeWaiting } = parts;
  const { key, caller } = call;
  const stream = await findStream(parts, call);
  const keys = await acknowledgedKeys(parts, call);
  const statement = acknowledge(key, keys, stream.acknowledge_seconds);
  const rows = (await database.run(statement, caller)) as unknown as AcknowledgedRow[];
  for (const { id, duration_ms } of rows)
    observe({
      kind: 'notification.attempted',
      channelType: stream.channel_type as ChannelType,
      subscription: key,
      notification: id,
      outcome: 'delivered',
      durationMs: duration_ms,
      reason: undefined,
      nextAttempt: undefined,
      lastAttempt: undefined,
    });
  hub.noteAcknowledged(key, new Set(rows.map(({ lease_id }) => Number(lease_id))));
  if (await promoteNext(parts, key, rows)) wakeStreams([key]);
  else if (rows.length > 0) wakeWaiting(key);
  return JSON.stringify({ acknowledged: rows.length });
}

async function acknowledgedKeys({ database }: StreamParts, { key, given, caller }: ObjectCall): Promise<number[]> {
  const { notifications, violations } = readChosenKeys(given.get('notifications') ?? null);
  const upTo = given.get('upTo') ?? null;
  if ((notifications === null) === (upTo === null) && violations.length === 0)
    violations.push({ path: 'notifications', message: 'is required, or `upTo`; one of the two.' });
  rejectViolations(violations);
  if (upTo === null) return notifications ?? [];
  const rows = await database.run(selectSentUpTo(key, Number(upTo), upToMax), caller);
  return rows.map((row) => Number(row.key));
}

/** Of an ordered subscription, the next notification about each object can be sent. Returns whether it is ordered. */
async function promoteNext(
  { queueDatabase }: StreamParts,
  subscriptionKey: number,
  rows: readonly AcknowledgedRow[],
): Promise<boolean> {
  const objects = new Set(
    rows.flatMap(({ ordered_object }) => (ordered_object === null ? [] : Number(ordered_object))),
  );
  if (objects.size === 0) return false;
  // If this fails, a worker finds them a moment later.
  const ordered = [...objects].map((orderedObject): OrderedObject => ({ subscriptionKey, orderedObject }));
  await queueDatabase.run(promoteHeads(ordered)).catch(() => undefined);
  return true;
}

async function leaseRequest(parts: StreamParts, call: ObjectCall): Promise<LeaseRequest> {
  const { acknowledge_seconds } = await findStream(parts, call);
  rejectTooMany(parts, call.key);
  return {
    subscriptionKey: call.key,
    leaseId: newLeaseId(),
    unacknowledgedMax: Number(call.given.get('limit')),
    acknowledgeSeconds: acknowledge_seconds,
  };
}

function rejectTooMany({ hub }: StreamParts, subscriptionKey: number): void {
  if (hub.countOf(subscriptionKey) < consumersMax) return;
  throw new ApiError('tooManyRequests', `A stream has at most ${consumersMax} connections to one process.`, {
    headers: { 'retry-after': '5' },
  });
}

async function findStream({ database }: StreamParts, { type, key, caller }: ObjectCall): Promise<StreamRow> {
  const [row] = (await database.run(selectStream(key), caller)) as unknown as StreamRow[];
  const onlyUser = onlyUserFor(type, caller);
  if (!row || (onlyUser !== undefined && Number(row.user) !== onlyUser)) throw notFound(type, key);
  if (!row.is_streamed)
    throw new ApiError(
      'notStreamed',
      `The notifications of this subscription are sent by ${row.channel_type}. Only those of a subscription with the ` +
        'channel STREAM can be fetched.',
    );
  const verdict = judge(row.state, 'fetch');
  if (verdict.kind === 'rejected') throw new ApiError(verdict.code, verdict.message);
  return row;
}
