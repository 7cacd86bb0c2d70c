// Normalises the forms in which a body states one event type: the dotted string, or its parts. As a part, the letter is
// given as `eventType` or `operation`. All forms that are given must agree.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { Model } from '../model/object-type.ts';
import { checkKey, nameOf } from '../objects/check-scalar.ts';
import type { Mistake } from '../objects/mistake.ts';
import { type EventType, isOperation, isPlain, operationNames, parseEventType } from './event-type.ts';
import { isReadable } from './subscribable-types.ts';

/** The attributes that state one event type: the dotted string, or its parts. */
export const partNames = ['eventType', 'objectType', 'operation', 'objectKey'] as const;

export type PartName = (typeof partNames)[number];

/** Where a part was read: in one of these attributes, or in the list. */
type Name = PartName | 'eventTypes';

export interface ReadEventType {
  /** Undefined if there are mistakes. */
  readonly eventType: EventType | undefined;
  /** The attribute that gave the key. */
  readonly keyName: Name;
  readonly mistakes: Mistake[];
}

/** `types`: as subscribers see them. `listed`: what the list states, if there is one. */
export function readOneEventType(
  body: JsonObject,
  types: Model['types'],
  listed: { eventTypes: EventType } | undefined,
): ReadEventType {
  const mistakes: Mistake[] = [];
  const claims: Claim[] = [
    ...(listed ? [{ name: 'eventTypes' as const, parts: listed.eventTypes }] : []),
    ...readClaims(body, mistakes),
  ];
  const objectType = agreed(claims, 'objectType', mistakes);
  const operation = agreed(claims, 'operation', mistakes);
  const objectKey = agreed(claims, 'objectKey', mistakes);
  const keyName = objectKey?.name ?? 'eventType';
  if (mistakes.length === 0) mistakes.push(...checkParts({ objectType, operation, objectKey }, types));
  if (mistakes.length > 0) return { eventType: undefined, keyName, mistakes };
  const eventType = {
    objectType: objectType!.value,
    operation: operation!.value,
    objectKey: objectKey?.value ?? null,
  };
  return { eventType, keyName, mistakes };
}

/** What one attribute states: some parts of the event type. */
interface Claim {
  name: Name;
  parts: Partial<EventType>;
}

function readClaims(body: JsonObject, mistakes: Mistake[]): Claim[] {
  return partNames.flatMap((name): Claim[] => {
    const value = body.get(name);
    if (value === undefined || (value === null && name !== 'objectKey')) return [];
    const parts = readers[name](value);
    if (typeof parts !== 'string') return [{ name, parts }];
    mistakes.push({ name, message: parts });
    return [];
  });
}

/** Each returns the parts that its attribute states, or what is wrong. */
const readers: Record<PartName, (value: JsonValue) => Partial<EventType> | string> = {
  eventType: (value) => (typeof value === 'string' ? readDotted(value) : `must be text, not ${nameOf(value)}.`),
  objectType: (value) => (typeof value === 'string' ? { objectType: value } : `must be text, not ${nameOf(value)}.`),
  operation: (value) => (isOperation(value) ? { operation: value } : `must be one of ${operationNames}.`),
  objectKey: (value) => {
    if (value === null) return { objectKey: null };
    const checked = checkKey(value);
    return checked.isGood ? { objectKey: Number(checked.value) } : checked.mistake;
  },
};

/** The letter alone is valid: other attributes give the other parts. */
function readDotted(text: string): Partial<EventType> | string {
  if (isOperation(text)) return { operation: text };
  const parsed = parseEventType(text, 'plain');
  if (typeof parsed === 'string' || isPlain(parsed)) return parsed;
  return `has a wildcard. Wildcards are for the list: "eventTypes": ["${text}"].`;
}

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

const isRequired = 'is required: what the subscription matches, like BunkerOrder.U; or eventTypes, for several.';

function checkParts(
  parts: { objectType: Stated<'objectType'>; operation: Stated<'operation'>; objectKey: Stated<'objectKey'> },
  types: Model['types'],
): Mistake[] {
  const { objectType, operation, objectKey } = parts;
  if (!objectType && !operation) return [{ name: 'eventType', message: isRequired }];
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
    mistakes.push({ name: objectKey.name, message: keyWithCreate });
  return mistakes;
}

export const keyWithCreate = 'has a key with C: a new object has no key yet. Leave it out.';

/** What is wrong with the name of an object type. */
export function findTypeMistake(name: string, types: Model['types']): string | undefined {
  const type = types.get(name);
  if (type?.makesEvents && isReadable(type)) return undefined;
  if (type && isReadable(type)) return `names ${name}, whose changes are never notified.`;
  const known = [...types.values()].filter((each) => each.makesEvents && isReadable(each)).map((each) => each.name);
  return `names ${quoteText(name)}, and there is no such object type.${didYouMean(name, known)}`;
}
