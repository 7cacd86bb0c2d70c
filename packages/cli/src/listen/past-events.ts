// What a new subscription would have been notified of before it was created, for `--since`. The service keeps the
// events of the last days and can say what it would send for each: nothing is stored, so there is nothing to
// acknowledge. Which events came before the subscription, the service decides: none is shown twice, none is left out.

import type { Client } from '@flaghoist/sdk';
import { type Message, sign } from './message.ts';

export interface PastRequest {
  key: number;
  /** `2026-11-15T08:30:00`, in UTC. */
  since: string;
  secret: string | undefined;
  /** There are more events than the service can list. */
  onIncomplete(oldest: string): void;
}

/** The most that the service lists. */
const decisionsMax = 1_000;

interface Change {
  objectType: string;
  eventType: string;
  objectKey: number;
  subscribedObjectKey: number;
}

/** Oldest first. */
export async function* pastMessages(client: Client, request: PastRequest): AsyncGenerator<Message> {
  const { key, since, secret, onIncomplete } = request;
  const decisions = await client.call('WebhookSubscription', 'decisions', { key, limit: decisionsMax });
  const oldest = decisions.at(-1)?.eventTime;
  if (decisions.length === decisionsMax && oldest !== undefined && oldest > since) onIncomplete(oldest);
  const before = decisions.filter(({ reason, eventTime }) => reason === 'BEFORE_SUBSCRIPTION' && eventTime >= since);
  for (const change of before.reverse()) {
    const { event, objectType, eventType, objectKey, subscribedObjectKey } = change;
    const test = { subscription: key, event, objectKey: subscribedObjectKey };
    const { isNotified, body, contentType } = await client.call('WebhookSubscription', 'test', test);
    if (!isNotified || typeof body !== 'string') continue;
    const id = `${event}-${subscribedObjectKey}`;
    yield {
      id,
      origin: 'since',
      event: eventOf(body, change),
      resourceKey: subscribedObjectKey,
      objectType,
      operation: eventType,
      objectKey,
      sequence: event,
      attempt: 1,
      headers: {
        'content-type': contentType ?? 'application/json',
        ...sign(id, body, secret, new Date()),
        'flaghoist-event': `${objectType}.${eventType}.${objectKey}`,
        'flaghoist-sequence': String(event),
        'flaghoist-subscription': String(key),
        'flaghoist-attempt': '1',
      },
      body,
    };
  }
}

/** The type of the resource, and what happened to it: a change in its hierarchy is an update. */
function eventOf(body: string, { objectType, eventType, objectKey, subscribedObjectKey }: Change): string {
  const type = typeOf(body) ?? objectType;
  return `${type}.${type === objectType && objectKey === subscribedObjectKey ? eventType : 'U'}`;
}

/** `https://flaghoist.example.com/ws/rest/BunkerOrder/1`, in an envelope or as the raw object. */
function typeOf(body: string): string | undefined {
  try {
    const { resource, self } = JSON.parse(body) as { resource?: { self?: string }; self?: string };
    return /\/ws\/rest\/(\w+)\/\d+$/.exec(resource?.self ?? self ?? '')?.[1];
  } catch {
    return undefined;
  }
}
