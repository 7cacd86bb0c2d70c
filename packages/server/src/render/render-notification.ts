// Renders the default body of a notification: the envelope around the object, or the object alone.

import type { Operation } from '../events/change-event.ts';
import { renderEnvelope, type WireNames } from './render-envelope.ts';

export interface NotificationParts {
  id: string;
  eventTime: string;
  objectType: string;
  eventType: Operation;
  objectKey: number;
  /** `eventType`: as the envelope shows it. */
  subscription: { key: number; eventType: string };
  rawObject: boolean;
  /** JSON. */
  resource: string;
}

export interface NotificationOptions {
  restUrl: string;
  wireNames: WireNames;
}

export function renderNotification(
  { rawObject, ...envelope }: NotificationParts,
  options: NotificationOptions,
): string {
  return rawObject ? envelope.resource : renderEnvelope(envelope, options);
}

export const jsonType = 'application/json';

/** Counts bytes only if the limit may be exceeded: a UTF-16 code unit takes at most three bytes in UTF-8. */
export function isLarger(body: string, bytesMax: number): boolean {
  return body.length * 3 > bytesMax && Buffer.byteLength(body) > bytesMax;
}

export function tooLarge(bytesMax: number): string {
  return `The body is larger than ${bytesMax} bytes. Select less of the object with json.`;
}
