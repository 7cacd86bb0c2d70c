// Parses and renders an event type: which changes a subscription matches.
//
//   event type = Resource "." operation [ "." key ]  |  "*" "." operation
//   operation  = "C" | "U" | "D" | "*"

import { quoteText } from '@flaghoist/source-text';
import type { Operation } from '../events/change-event.ts';
import { isKeyText } from '../query/attributes/attribute-value.ts';

export interface EventType {
  /** `*`: every type. */
  readonly objectType: string;
  readonly operation: Operation | '*';
  /** Null: all objects of the type. */
  readonly objectKey: number | null;
}

export const wildcard = '*';

export const operationNames = 'C (create), U (update), D (delete)';

/** What to write where wildcards are allowed, and where they are not. */
const forms = {
  withWildcards: {
    pattern: '<Resource|*>.<C|U|D|*> or <Resource>.<C|U|D|*>.<key>',
    operations: `${operationNames}, * (any of them)`,
  },
  plain: { pattern: '<Resource>.<C|U|D> or <Resource>.<C|U|D>.<key>', operations: operationNames },
};

/**
 * Returns the parts, or a sentence that says what is wrong. Does not check whether the type and the object exist.
 * `form` only decides what the sentence suggests: wildcards are parsed in both.
 */
export function parseEventType(text: string, form: keyof typeof forms): EventType | string {
  const [objectType = '', operation = '', key, ...rest] = text.split('.');
  if (!/^(\w+|\*)$/.test(objectType) || operation === '' || rest.length > 0)
    return `must be ${forms[form].pattern}, like BunkerOrder.U, not ${quoteText(text)}.`;
  if (!isOperation(operation) && operation !== wildcard)
    return `has the operation ${quoteText(operation)}; it must be one of ${forms[form].operations}.`;
  if (key !== undefined && !isKeyText(key))
    return `has ${quoteText(key)} where a key was expected, which is a positive integer.`;
  return { objectType, operation, objectKey: key === undefined ? null : Number(key) };
}

export function renderEventType({ objectType, operation, objectKey }: EventType): string {
  return `${objectType}.${operation}${objectKey === null ? '' : `.${objectKey}`}`;
}

/** Whether it has no wildcard. */
export function isPlain(eventType: EventType): eventType is EventType & { operation: Operation } {
  return eventType.objectType !== wildcard && eventType.operation !== wildcard;
}

/** What a change means to a subscribed object. A change in the hierarchy of the object counts as a U of the object. */
export interface Occurrence {
  readonly objectType: string;
  readonly operation: Operation;
  readonly objectKey: number;
}

export function covers(eventType: EventType, occurrence: Occurrence): boolean {
  const { objectKey } = eventType;
  return coversOperation(eventType, occurrence) && (objectKey === null || objectKey === occurrence.objectKey);
}

/** Whether it covers such an operation on some object of the type. */
export function coversOperation(eventType: EventType, { objectType, operation }: Omit<Occurrence, 'objectKey'>) {
  return coversType(eventType, objectType) && (eventType.operation === operation || eventType.operation === wildcard);
}

export function coversType(eventType: EventType, objectType: string): boolean {
  return eventType.objectType === objectType || eventType.objectType === wildcard;
}

export function isOperation(text: unknown): text is Operation {
  return text === 'C' || text === 'U' || text === 'D';
}
