// The default body of a notification, for a subscription without a stylesheet: the envelope around the object, or the
// object alone.

import type { Links } from '../query/view-columns.ts';
import { type EnvelopeContent, type EnvelopeHead, renderEnvelope, type WireNames } from '../render/render-envelope.ts';
import { type Occurrence, renderEventType } from '../subscriptions/event-type.ts';
import { type EventTypes, findEventType } from '../subscriptions/event-types.ts';

export interface BodyOptions {
  links: Links;
  wireNames: WireNames;
  notificationBytesMax: number;
}

/** What a subscription was notified of, and how. */
export interface MatchedChange {
  rawObject: boolean;
  eventTypes: EventTypes;
  occurrence: Occurrence;
}

/** The envelope names the event type that matched, as the subscriber has written it. */
export function renderDefaultBody(
  head: EnvelopeHead,
  { rawObject, eventTypes, occurrence }: MatchedChange,
  content: EnvelopeContent,
  { links: { restUrl }, wireNames }: BodyOptions,
): string {
  if (rawObject) return content.resource;
  const eventType =
    wireNames === 'dataloy'
      ? occurrence.operation
      : renderEventType(findEventType(eventTypes, occurrence) ?? eventTypes);
  return renderEnvelope(head, eventType, content, { restUrl, wireNames });
}

export const jsonType = 'application/json';

/** Counts bytes only if the limit may be exceeded: a UTF-16 code unit takes at most three bytes in UTF-8. */
export function isLarger(body: string, bytesMax: number): boolean {
  return body.length * 3 > bytesMax && Buffer.byteLength(body) > bytesMax;
}

export function tooLarge(bytesMax: number): string {
  return `The body is larger than ${bytesMax} bytes. Select less of the object with json.`;
}
