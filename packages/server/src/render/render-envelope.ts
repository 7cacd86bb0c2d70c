// Renders the envelope of a notification around its resource, with the members in the order that the interface defines.
// The start is of one notification. The content follows it, and is the same for all of one event and selection.

import { eventTimeOf, type Operation } from '../events/change-event.ts';

export interface EnvelopeHead {
  id: string;
  /** The id of the event. */
  sequence: number;
  /** `yyyy-MM-ddTHH:mm:ss.SSSSSSZ` */
  occurredAt: string;
  /** The type of the changed object. */
  objectType: string;
  eventType: Operation;
  objectKey: number;
  subscriptionKey: number;
}

/** What the envelope shows, as JSON. */
export interface Shown {
  resource: string;
  /** Undefined if the subscription does not ask for it. */
  changes: string | undefined;
}

/** The prefix of two members: our own, or the original one. */
export type WireNames = 'service' | 'dataloy';

/**
 * Concatenates by hand: `JSON.stringify` takes 2.5 times as long, for every single notification. Only the URL can
 * contain characters that JSON escapes. The other texts are names of the model, operations, keys and times.
 *
 * `subscribedEventType`: the event type of the subscription.
 */
export function renderEnvelopeStart(
  { id, occurredAt, objectType, eventType, objectKey, subscriptionKey }: EnvelopeHead,
  subscribedEventType: string,
  { restUrl, wireNames }: { restUrl: string; wireNames: WireNames },
): string {
  const url = JSON.stringify(restUrl).slice(1, -1);
  const event = `"id":"${id}","eventTime":"${eventTimeOf(occurredAt)}","objectType":"${objectType}"`;
  const object = `"${wireNames}Object":${objectKey},"eventType":"${eventType}"`;
  const objectSelf = `"${wireNames}ObjectSelf":"${url}/${objectType}/${objectKey}"`;
  const self = `${url}/WebhookSubscription/${subscriptionKey}`;
  const subscription = `"key":${subscriptionKey},"self":"${self}","eventType":"${subscribedEventType}"`;
  return `{${event},${object},${objectSelf},"subscription":{${subscription}},`;
}

/** All that follows the start. */
export function renderEnvelopeContent(
  { sequence, occurredAt }: Pick<EnvelopeHead, 'sequence' | 'occurredAt'>,
  { resource, changes }: Shown,
): string {
  const shown = changes === undefined ? `"resource":${resource}` : `"resource":${resource},"changes":${changes}`;
  return `${shown},"sequence":${sequence},"occurredAt":"${occurredAt}"}`;
}
