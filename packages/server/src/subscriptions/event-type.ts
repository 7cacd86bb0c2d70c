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

/** `letter`: the operation alone; other attributes give the other parts. */
export type ParsedEventType =
  | ({ kind: 'whole' } & EventType)
  | { kind: 'letter'; operation: Operation }
  | { kind: 'mistake'; mistake: string };

/** Does not check whether the type and the object exist. */
export function parseEventType(text: string): ParsedEventType {
  if (isOperation(text)) return { kind: 'letter', operation: text };
  const [objectType = '', operation = '', key, ...rest] = text.split('.');
  if (!/^\w+$/.test(objectType) || operation === '' || rest.length > 0)
    return invalidEventType(
      `must be <Resource>.<C|U|D> or <Resource>.<C|U|D>.<key>, like BunkerOrder.U, not ${quoteText(text)}.`,
    );
  if (!isOperation(operation))
    return invalidEventType(`has the operation ${quoteText(operation)}; it is one of ${operationNames}.`);
  if (key !== undefined && !isKeyText(key))
    return invalidEventType(`has ${quoteText(key)} where a key was expected, which is a positive integer.`);
  return { kind: 'whole', objectType, operation, objectKey: key === undefined ? null : Number(key) };
}

export function renderEventType({ objectType, operation, objectKey }: EventType): string {
  return `${objectType}.${operation}${objectKey === null ? '' : `.${objectKey}`}`;
}

export const operationNames = 'C (create), U (update), D (delete)';

export function isOperation(text: unknown): text is Operation {
  return text === 'C' || text === 'U' || text === 'D';
}

function invalidEventType(mistake: string): ParsedEventType {
  return { kind: 'mistake', mistake };
}
