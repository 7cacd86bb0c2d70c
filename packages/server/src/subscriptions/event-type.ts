// Parses and renders the event type of a subscription.
//
//   event type = Resource "." operation [ "." key ]
//   operation  = "C" | "U" | "D"

import { quoteText } from '@flaghoist/source-text';
import type { Operation } from '../events/change-event.ts';
import { isKeyText } from '../query/attributes/attribute-value.ts';

export interface EventType {
  objectType: string;
  operation: Operation;
  /** Null: all objects of the type. */
  objectKey: number | null;
}

/**
 * Returns the parts, or a sentence that says what is wrong. The operation alone is valid: other attributes give the
 * other parts. Does not check whether the type and the object exist.
 */
export function parseEventType(text: string): EventType | Pick<EventType, 'operation'> | string {
  if (isOperation(text)) return { operation: text };
  const [objectType = '', operation = '', key, ...rest] = text.split('.');
  if (!/^\w+$/.test(objectType) || operation === '' || rest.length > 0)
    return `must be <Resource>.<C|U|D> or <Resource>.<C|U|D>.<key>, like BunkerOrder.U, not ${quoteText(text)}.`;
  if (!isOperation(operation)) return `has the operation ${quoteText(operation)}; it must be one of ${operationNames}.`;
  if (key !== undefined && !isKeyText(key))
    return `has ${quoteText(key)} where a key was expected, which is a positive integer.`;
  return { objectType, operation, objectKey: key === undefined ? null : Number(key) };
}

export function renderEventType({ objectType, operation, objectKey }: EventType): string {
  return `${objectType}.${operation}${objectKey === null ? '' : `.${objectKey}`}`;
}

export const operationNames = 'C (create), U (update), D (delete)';

export function isOperation(text: unknown): text is Operation {
  return text === 'C' || text === 'U' || text === 'D';
}
