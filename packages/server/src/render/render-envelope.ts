// Renders the envelope of a notification around its resource, with the members in the order that the interface defines.

import type { Operation } from '../events/change-event.ts';

export interface EnvelopeHead {
  id: string;
  /** `yyyy-MM-ddTHH:mm:ss`, UTC. */
  eventTime: string;
  /** The type of the changed object. */
  objectType: string;
  eventType: Operation;
  objectKey: number;
  subscriptionKey: number;
}

/** The prefix of two members: our own, or the original one. */
export type WireNames = 'service' | 'dataloy';

/**
 * Concatenates by hand: `JSON.stringify` takes 2.5 times as long, for every single notification. Only the URL can
 * contain characters that JSON escapes. The other texts are names of the model, operations, keys and times.
 *
 * `subscribedEventType`: the event type of the subscription. `resource`: JSON.
 */
export function renderEnvelope(
  { id, eventTime, objectType, eventType, objectKey, subscriptionKey }: EnvelopeHead,
  subscribedEventType: string,
  resource: string,
  { restUrl, wireNames }: { restUrl: string; wireNames: WireNames },
): string {
  // The number of the event: of two changes to one object, the later one has the higher number.
  const sequence = id.slice(0, id.indexOf('-'));
  const url = JSON.stringify(restUrl).slice(1, -1);
  const change = `"id":"${id}","eventTime":"${eventTime}","objectType":"${objectType}","eventType":"${eventType}"`;
  const object = `"${wireNames}Object":${objectKey},"${wireNames}ObjectSelf":"${url}/${objectType}/${objectKey}"`;
  const self = `${url}/WebhookSubscription/${subscriptionKey}`;
  const subscription = `"key":${subscriptionKey},"self":"${self}","eventType":"${subscribedEventType}"`;
  return `{${change},${object},"subscription":{${subscription}},"resource":${resource},"sequence":${sequence}}`;
}
