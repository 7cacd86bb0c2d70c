// Normalises the forms in which a body states the event type: the dotted string, or its parts. As a part, the letter is
// given as `eventType` or `operation`. All forms that are given must agree.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import type { Operation } from '../events/change-event.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { scopesNeeded } from '../model/scopes.ts';
import { checkKey, nameOf } from '../objects/check-scalar.ts';
import { cannotBeChanged } from '../objects/compare-sent-back.ts';
import type { Mistake } from '../objects/mistake.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { type EventType, isOperation, operationNames, parseEventType } from './event-type.ts';

export const eventTypeNames = ['eventType', 'objectType', 'operation', 'objectKey'] as const;

type Name = (typeof eventTypeNames)[number];

export interface StatedEventType {
  type: ObjectType;
  operation: Operation;
  /** The one object to match, with the name of the attribute that gave its key. */
  object: { key: number; name: Name } | undefined;
}

/** For a new subscription. `types`: as subscribers see them. `eventType` is undefined if there are mistakes. */
export function readEventType(
  body: JsonObject,
  types: Model['types'],
): { eventType: StatedEventType | undefined; mistakes: Mistake[] } {
  const mistakes: Mistake[] = [];
  const claims = readClaims(body, mistakes);
  const objectType = agreed(claims, 'objectType', mistakes);
  const operation = agreed(claims, 'operation', mistakes);
  const objectKey = agreed(claims, 'objectKey', mistakes);
  if (mistakes.length === 0) mistakes.push(...checkParts({ objectType, operation, objectKey }, types));
  if (mistakes.length > 0) return { eventType: undefined, mistakes };
  const key = objectKey?.value ?? null;
  const object = key === null ? undefined : { key, name: objectKey!.name };
  return { eventType: { type: types.get(objectType!.value)!, operation: operation!.value, object }, mistakes };
}

/** For an existing subscription: its event type cannot change, but may be sent back in any of the forms. */
export function compareEventType(body: JsonObject, current: LockedRow): Mistake[] {
  const isSame: Record<Name, (value: JsonValue) => boolean> = {
    eventType: (value) => value === current.get('event_type') || value === current.get('operation'),
    objectType: (value) => value === current.get('object_type'),
    operation: (value) => value === current.get('operation'),
    objectKey: (value) => {
      const checked = value === null ? undefined : checkKey(value);
      const key = checked?.isGood === false ? undefined : (checked?.value ?? null);
      return key === (current.get('object_key') ?? null);
    },
  };
  return eventTypeNames
    .filter((name) => body.has(name) && !isSame[name](body.get(name)!))
    .map((name) => ({ name, message: cannotBeChanged }));
}

/** What one attribute states: some parts of the event type. */
interface Claim {
  name: Name;
  parts: Partial<EventType>;
}

function readClaims(body: JsonObject, mistakes: Mistake[]): Claim[] {
  return eventTypeNames.flatMap((name) => {
    const value = body.get(name);
    if (value === undefined || (value === null && name !== 'objectKey')) return [];
    const parts = readers[name](value);
    if (typeof parts !== 'string') return [{ name, parts }];
    mistakes.push({ name, message: parts });
    return [];
  });
}

/** Each returns the parts that its attribute states, or what is wrong. */
const readers: Record<Name, (value: JsonValue) => Partial<EventType> | string> = {
  eventType: (value) => (typeof value === 'string' ? parseEventType(value) : `must be text, not ${nameOf(value)}.`),
  objectType: (value) => (typeof value === 'string' ? { objectType: value } : `must be text, not ${nameOf(value)}.`),
  operation: (value) => (isOperation(value) ? { operation: value } : `must be one of ${operationNames}.`),
  objectKey: (value) => {
    if (value === null) return { objectKey: null };
    const checked = checkKey(value);
    return checked.isGood ? { objectKey: Number(checked.value) } : checked.mistake;
  },
};

type Stated<Part extends keyof EventType> = { name: Name; value: EventType[Part] } | undefined;

function agreed<Part extends keyof EventType>(claims: Claim[], part: Part, mistakes: Mistake[]): Stated<Part> {
  const stated = claims.flatMap(({ name, parts }) => {
    const value = parts[part];
    return value === undefined ? [] : [{ name, value: value as EventType[Part] }];
  });
  const first = stated[0];
  const other = stated.find(({ value }) => value !== first!.value);
  if (other)
    mistakes.push({
      name: other.name,
      message: `does not agree with ${first!.name}: ${other.value} is not ${first!.value}.`,
    });
  return first;
}

function checkParts(
  parts: { objectType: Stated<'objectType'>; operation: Stated<'operation'>; objectKey: Stated<'objectKey'> },
  types: Model['types'],
): Mistake[] {
  const { objectType, operation, objectKey } = parts;
  if (!objectType && !operation)
    return [{ name: 'eventType', message: 'is required: what the subscription matches, like BunkerOrder.U.' }];
  if (!objectType)
    return [
      {
        name: 'objectType',
        message: 'is required where the operation stands alone; or write eventType like BunkerOrder.U.',
      },
    ];
  const mistakes: Mistake[] = [];
  const unknown = findTypeMistake(objectType.value, types);
  if (unknown !== undefined) mistakes.push({ name: objectType.name, message: unknown });
  if (!operation) mistakes.push({ name: 'eventType', message: `is required: one of ${operationNames}.` });
  else if (operation.value === 'C' && objectKey && objectKey.value !== null)
    mistakes.push({ name: objectKey.name, message: 'has a key with C: a new object has no key yet. Leave it out.' });
  return mistakes;
}

function findTypeMistake(name: string, types: Model['types']): string | undefined {
  const type = types.get(name);
  if (type?.makesEvents && isReadable(type)) return undefined;
  if (type && isReadable(type)) return `names ${name}, whose changes are never notified.`;
  const known = [...types.values()].filter((each) => each.makesEvents && isReadable(each)).map((each) => each.name);
  return `names ${quoteText(name)}, and there is no such object type.${didYouMean(name, known)}`;
}

/** Notifications show what `read` shows. Subscribers must not learn that other types exist. */
function isReadable({ access }: ObjectType): boolean {
  return scopesNeeded(access.read).every((scope) => scope === 'read' || scope === 'webhook');
}
