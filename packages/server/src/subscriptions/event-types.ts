// The event types of one subscription: a list in the order of the subscriber, never empty.

import { covers, type EventType, type Occurrence, parseEventType, wildcard } from './event-type.ts';

/**
 * The first event type, and the others. Most subscriptions have only one, and there may be hundreds of thousands of
 * them: an array for each would take 90 bytes more.
 */
export interface EventTypes extends EventType {
  readonly further: readonly EventType[];
}

/**
 * Reads what `webhook_subscription.event_types` holds. Duplicates and elements that are no event types (only direct SQL
 * can write those) are left out.
 */
export function readStoredEventTypes(stored: string): EventTypes | undefined {
  const parsed = [...new Set(storedTexts(stored))].map((text) => parseEventType(text, 'withWildcards'));
  const [first, ...others] = parsed.filter((each) => typeof each !== 'string');
  return first && { ...first, further: others.length === 0 ? none : others };
}

const none: readonly EventType[] = [];

/** The elements of an array as PostgreSQL renders it, as the subscriber wrote them. No event type needs quotes. */
export function storedTexts(stored: string): string[] {
  return stored.match(/[\w.*]+/g) ?? [];
}

export function listOf(eventTypes: EventTypes): readonly EventType[] {
  return [eventTypes, ...eventTypes.further];
}

/** The first in the list that covers the occurrence. */
export function findEventType(eventTypes: EventTypes, occurrence: Occurrence): EventType | undefined {
  if (covers(eventTypes, occurrence)) return eventTypes;
  return eventTypes.further.find((eventType) => covers(eventType, occurrence));
}

/** The event type of a subscription that has one, without a wildcard. Others have no `eventType`, only a list. */
export function onlyPlain(texts: readonly string[]): string | null {
  const [first = null, ...others] = texts;
  return others.length > 0 || first?.includes(wildcard) ? null : first;
}

/** `onlyObjectType` of a stored list. */
export function onlyStoredType(stored: string | null | undefined): string | undefined {
  const eventTypes = stored ? readStoredEventTypes(stored) : undefined;
  return eventTypes && onlyObjectType(listOf(eventTypes));
}

/** The object type that all of them name. Undefined if they name several, or every type. */
export function onlyObjectType([first, ...others]: readonly EventType[]): string | undefined {
  const name = first?.objectType;
  return name === wildcard || others.some(({ objectType }) => objectType !== name) ? undefined : name;
}
