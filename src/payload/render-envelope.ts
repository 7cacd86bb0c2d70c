// Renders the body of a notification around its resource, in the order that the interface gives.

export interface Envelope {
  id: string;
  /** `yyyy-MM-ddTHH:mm:ss`, UTC. */
  eventTime: string;
  /** Of the changed object. */
  objectType: string;
  eventType: 'C' | 'U' | 'D';
  objectKey: number;
  subscription: { key: number; eventType: string };
  /** JSON. */
  resource: string;
}

/** Two members have a name of ours, or the one that they had before us. */
export type WireNames = 'service' | 'dataloy';

/**
 * Put together by hand: JSON.stringify takes two and a half times as long, for every single notification. Only the URL can
 * have anything in it that JSON escapes; the other texts are names of the model, operations, keys and times.
 */
export function renderEnvelope(envelope: Envelope, options: { restUrl: string; wireNames: WireNames }): string {
  const { id, eventTime, objectType, eventType, objectKey, subscription, resource } = envelope;
  const { wireNames } = options;
  const url = JSON.stringify(options.restUrl).slice(1, -1);
  const change = `"id":"${id}","eventTime":"${eventTime}","objectType":"${objectType}","eventType":"${eventType}"`;
  const object = `"${wireNames}Object":${objectKey},"${wireNames}ObjectSelf":"${url}/${objectType}/${objectKey}"`;
  const subscribed = `"key":${subscription.key},"self":"${url}/WebhookSubscription/${subscription.key}","eventType":"${subscription.eventType}"`;
  return `{${change},${object},"subscription":{${subscribed}},"resource":${resource}}`;
}
