// Sends a test message, marked as such, the way that notifications are sent, and returns the response of the receiver.
// Stores nothing.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import type { Mail } from '../../channels/mail/mail.ts';
import type { Message, Receiver } from '../../channels/registry/channel.ts';
import type { OpenChannels } from '../../channels/registry/open-channels.ts';
import { type Clock, renderDateTime } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import type { ObjectCall } from '../../objects/action-call.ts';
import { notFound } from '../../objects/object-errors.ts';
import type { Observe } from '../../observe/observation.ts';
import type { Tracing } from '../../observe/traces/tracing.ts';
import type { Links } from '../../query/view-columns.ts';
import type { RateBuckets } from '../../rate-buckets.ts';
import { onlyPlain } from '../../subscriptions/event-types.ts';
import { renderMailPage } from '../mail/mail-page.ts';
import { enumerate } from '../mail/mail-text.ts';
import { nameSubscription } from '../mail/name-subscription.ts';
import type { Attempt } from '../outcomes/outcome.ts';
import { sendMessage } from '../send/send-message.ts';
import { lockSubscription } from '../targets/lock-subscription.ts';
import { remediesFor } from '../targets/remedies-for.ts';
import { readTarget, type Target } from '../targets/target.ts';
import { selectTargets, type TargetRow } from '../targets/target-table.ts';

export interface PingParts {
  channels: OpenChannels;
  database: Database;
  encryption: Encryption;
  links: Links;
  clock: Clock;
  observe: Observe;
  /** Undefined if it is off. */
  tracing?: Tracing | undefined;
  /** Keyed by subscription. */
  pingRate: RateBuckets;
}

export const pingsPerMinute = 30;

export async function pingSubscription(parts: PingParts, call: ObjectCall): Promise<string> {
  const target = await lockTarget(parts, call);
  rejectTooMany(parts.pingRate.take(String(call.key)));
  const message = testMessage(target, parts.links.restUrl, parts.clock.now());
  const { durationMs, result } = await new Promise<Attempt>((resolve) => {
    sendMessage(parts, message, target, new Date(), resolve, parts.tracing?.current()?.asParent);
  });
  const isOurs = result.kind === 'ownFault';
  if (isOurs) parts.observe({ kind: 'ping.failed', subscription: target.key, reason: result.reason });
  return JSON.stringify({
    isDelivered: result.kind === 'delivered',
    id: message.id,
    channelType: target.channelType,
    url: target.url,
    durationMs: Math.round(durationMs),
    statusCode: isOurs ? null : result.statusCode,
    answer: isOurs ? null : result.answer,
    errorMessage: isOurs ? ownFault : result.kind === 'delivered' ? null : result.reason,
  });
}

/** The operator of the receiver may not have asked for the pings. */
function rejectTooMany(waitMs: number): void {
  if (waitMs === 0) return;
  const message = `A subscription is pinged ${pingsPerMinute} times a minute at most.`;
  throw new ApiError('tooManyRequests', message, { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } });
}

const ownFault = 'The service could not send the message because of its own fault. See its log.';

async function lockTarget({ database, encryption, observe }: PingParts, call: ObjectCall): Promise<Target> {
  const [row] = await database.transaction(call.caller, async ({ run }) => {
    await lockSubscription(run, call, 'ping');
    const [rows = []] = await run(selectTargets([call.key]));
    return rows as unknown as TargetRow[];
  });
  if (!row) throw notFound(call.type, call.key);
  try {
    return readTarget(row, encryption);
  } catch (error) {
    observe({ kind: 'subscription.unreadable', subscription: call.key, error: error as Error });
    const remedies = remediesFor(row, encryption);
    const renewal = remedies.length === 0 ? '' : `${remedies.join(' and ')}, or `;
    throw new ApiError(
      'unreadableSecrets',
      `Secrets of the subscription cannot be read. To fix this, ${renewal}create a new subscription.`,
    );
  }
}

/** Marks the message as a test, so that no receiver takes it for a change. */
const words = 'This is a test of your webhook subscription. No object has changed.';

function testMessage({ key, name, eventTypes }: Receiver, restUrl: string, now: Date): Message {
  const id = `ping-${key}-${now.getTime()}`;
  const self = `${restUrl}/WebhookSubscription/${key}`;
  const body = JSON.stringify({
    id,
    eventTime: renderDateTime(now),
    isTest: true,
    message: words,
    subscription: { key, self, eventType: onlyPlain(eventTypes), eventTypes, name },
    // Lower than the number of any event, so that a receiver never takes it for the latest change.
    sequence: 0,
    occurredAt: now.toISOString().replace('Z', '000Z'),
  });
  return {
    id,
    event: 'ping',
    ...objectIn(eventTypes[0]!),
    sequence: 0,
    attempt: 1,
    replay: undefined,
    contentType: 'application/json',
    body: Buffer.from(body),
    composeMail: (receiver) => composeTestMail({ id, self, body }, receiver),
  };
}

/** As in the event type. A name takes the place of `*`, which is no part of a subject that is published to. */
function objectIn(eventType: string): Pick<Message, 'objectType' | 'operation' | 'objectKey'> {
  const [objectType, operation] = eventType.split('.').map((part) => (part === '*' ? 'ping' : part));
  return { objectType: objectType!, operation: operation!, objectKey: 0 };
}

function composeTestMail(
  { id, self, body }: { id: string; self: string; body: string },
  { eventTypes, url, ...subscription }: Receiver,
): Mail {
  const title = `Test of webhook subscription ${nameSubscription(subscription)}`;
  return {
    id,
    to: url,
    subject: title,
    ...renderMailPage({
      title,
      preview: words,
      tone: 'updated',
      badge: 'Test',
      blocks: [{ kind: 'paragraph', text: `${words} Notifications of ${enumerate(eventTypes)} will arrive here.` }],
      footer: `This mail was requested with POST ${self}/ping`,
    }),
    attachment: { fileName: `${id}.json`, contentType: 'application/json', content: body },
    headers: {},
  };
}
