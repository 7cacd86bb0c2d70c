// The default body of a notification, for a subscription without a stylesheet: the envelope around the object, or the
// object alone.

import type { Links } from '../query/view-columns.ts';
import { type Body, Content } from '../render/body.ts';
import {
  type EnvelopeHead,
  renderEnvelopeContent,
  renderEnvelopeStart,
  type Shown,
  type WireNames,
} from '../render/render-envelope.ts';
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
  content: Content,
  { links: { restUrl }, wireNames }: BodyOptions,
): Body {
  if (rawObject) return { start: '', content };
  const eventType =
    wireNames === 'dataloy'
      ? occurrence.operation
      : renderEventType(findEventType(eventTypes, occurrence) ?? eventTypes);
  return { start: renderEnvelopeStart(head, eventType, { restUrl, wireNames }), content };
}

/** What the default bodies of one event share, if they show the same. */
export function renderDefaultContent(
  event: Pick<EnvelopeHead, 'sequence' | 'occurredAt'>,
  rawObject: boolean,
  shown: Shown,
): Content {
  return new Content(rawObject ? shown.resource : renderEnvelopeContent(event, shown));
}

export const jsonType = 'application/json';

/** Counts bytes only if the limit may be exceeded: a UTF-16 code unit takes at most three bytes in UTF-8. */
export function isLarger({ start, content }: Body, bytesMax: number): boolean {
  const chars = start.length + content.text.length;
  return chars * 3 > bytesMax && Buffer.byteLength(start) + content.bytes.length > bytesMax;
}

export function tooLarge(bytesMax: number): string {
  return `The body is larger than ${bytesMax} bytes. Select less of the object with json.`;
}
