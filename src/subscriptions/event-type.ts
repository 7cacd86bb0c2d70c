// The event type of a subscription, text to parts and back.
//
//   event type = Resource "." operation [ "." key ]
//   operation  = "C" | "U" | "D"

import type { Operation } from '../events/change-event.ts';
import { quoteText } from '../json/printable.ts';
import { isKeyText } from '../query/attribute-value.ts';

export interface EventType {
  objectType: string;
  operation: Operation;
  /** Null: all objects of the type. */
  objectKey: number | null;
}

/** `letter`: the operation alone, with the other parts beside it. */
export type ParsedEventType =
  | ({ kind: 'whole' } & EventType)
  | { kind: 'letter'; operation: Operation }
  | { kind: 'mistake'; mistake: string };

/** Whether there is such a type, and such an object, is not asked here. */
export function parseEventType(text: string): ParsedEventType {
  if (isOperation(text)) return { kind: 'letter', operation: text };
  const [objectType = '', operation = '', key, ...rest] = text.split('.');
  if (!/^\w+$/.test(objectType) || operation === '' || rest.length > 0)
    return refuse(
      `must be <Resource>.<C|U|D> or <Resource>.<C|U|D>.<key>, like BunkerOrder.U, not ${quoteText(text)}.`,
    );
  if (!isOperation(operation))
    return refuse(`has the operation ${quoteText(operation)}; it is one of ${operationNames}.`);
  if (key !== undefined && !isKeyText(key))
    return refuse(`has ${quoteText(key)} where a key was expected, which is a positive integer.`);
  return { kind: 'whole', objectType, operation, objectKey: key === undefined ? null : Number(key) };
}

export function renderEventType({ objectType, operation, objectKey }: EventType): string {
  return `${objectType}.${operation}${objectKey === null ? '' : `.${objectKey}`}`;
}

export const operationNames = 'C (create), U (update), D (delete)';

export function isOperation(text: unknown): text is Operation {
  return text === 'C' || text === 'U' || text === 'D';
}

function refuse(mistake: string): ParsedEventType {
  return { kind: 'mistake', mistake };
}
