// Normalises the forms in which a body states the event type: the dotted string, or its parts. As a part, the letter is
// given as `eventType` or `operation`. All forms that are given must agree.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import type { Operation } from '../events/change-event.ts';
import { type JsonObject, type JsonValue, NumberLiteral } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { scopesNeeded } from '../model/scopes.ts';
import { checkInteger, nameOf } from '../objects/check-scalar.ts';
import { cannotBeChanged } from '../objects/compare-sent-back.ts';
import type { Mistake } from '../objects/mistake.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { isOperation, operationNames, parseEventType } from './event-type.ts';

export const eventTypeNames = ['eventType', 'objectType', 'operation', 'objectKey'] as const;

type Name = (typeof eventTypeNames)[number];

/** The resulting event type, with the name of the attribute that gave the key. */
export interface ReadEventType {
  type: ObjectType;
  operation: Operation;
  objectKey: { key: number; name: Name } | undefined;
}

/** For a new subscription. `types`: as subscribers see them. */
export function readEventType(body: JsonObject, types: Model['types']): ReadEventType | Mistake[] {
  const read = readClaims(body);
  if (read.mistakes.length > 0) return read.mistakes;
  const objectType = agreed(read.claims, 'objectType');
  const operation = agreed(read.claims, 'operation');
  const objectKey = agreed(read.claims, 'objectKey');
  const parts = [objectType, operation, objectKey];
  const mistakes = parts.flatMap((part) => (part && 'message' in part ? [part] : []));
  if (mistakes.length > 0) return mistakes;
  return resolveParts(
    objectType as Agreed<string>,
    operation as Agreed<Operation>,
    objectKey as Agreed<number | null>,
    types,
  );
}

/** For an existing subscription: its event type cannot change, but may be sent back in any of the forms. */
export function compareEventType(body: JsonObject, current: LockedRow): Mistake[] {
  const sameText = (column: string) => (value: JsonValue) => value === current.get(column);
  const isSame: Record<Name, (value: JsonValue) => boolean> = {
    eventType: (value) => value === current.get('event_type') || value === current.get('operation'),
    objectType: sameText('object_type'),
    operation: sameText('operation'),
    objectKey: (value) => (value === null ? null : keyIn(value)) === (current.get('object_key') ?? null),
  };
  return eventTypeNames
    .filter((name) => body.has(name) && !isSame[name](body.get(name)!))
    .map((name) => ({ name, message: cannotBeChanged }));
}

/** One part of the event type, as one attribute gives it. */
interface Claim {
  name: Name;
  part: 'objectType' | 'operation' | 'objectKey';
  value: string | number | null;
}

interface Claims {
  claims: Claim[];
  mistakes: Mistake[];
}

function readClaims(body: JsonObject): Claims {
  const found: Claims = { claims: [], mistakes: [] };
  for (const name of eventTypeNames) {
    const value = body.get(name);
    if (value === undefined || (value === null && name !== 'objectKey')) continue;
    const read = readers[name](value);
    if (typeof read === 'string') found.mistakes.push({ name, message: read });
    else for (const [part, stated] of read) found.claims.push({ name, part, value: stated });
  }
  return found;
}

type Parts = [Claim['part'], Claim['value']][];

const readers: Record<Name, (value: JsonValue) => Parts | string> = {
  eventType: (value) => {
    if (typeof value !== 'string') return `must be text, not ${nameOf(value)}.`;
    const parsed = parseEventType(value);
    if (parsed.kind === 'mistake') return parsed.mistake;
    if (parsed.kind === 'letter') return [['operation', parsed.operation]];
    const { objectType, operation, objectKey } = parsed;
    return [
      ['objectType', objectType],
      ['operation', operation],
      ['objectKey', objectKey],
    ];
  },
  objectType: (value) => (typeof value === 'string' ? [['objectType', value]] : `must be text, not ${nameOf(value)}.`),
  operation: (value) => (isOperation(value) ? [['operation', value]] : `must be one of ${operationNames}.`),
  objectKey: (value) => {
    if (value === null) return [['objectKey', null]];
    const checked = checkInteger(value, 1, Number.MAX_SAFE_INTEGER);
    return checked.isGood ? [['objectKey', Number(checked.value)]] : checked.mistake;
  },
};

function keyIn(value: JsonValue): string | undefined {
  const checked = checkInteger(value, 1, Number.MAX_SAFE_INTEGER);
  return checked.isGood ? (checked.value ?? undefined) : undefined;
}

type Agreed<T> = { name: Name; value: T } | undefined;

function agreed(claims: Claim[], part: Claim['part']): Agreed<Claim['value']> | Mistake {
  const [first, ...others] = claims.filter((claim) => claim.part === part);
  const other = others.find(({ value }) => value !== first!.value);
  if (!other) return first && { name: first.name, value: first.value };
  return { name: other.name, message: `does not agree with ${first!.name}: ${other.value} is not ${first!.value}.` };
}

function resolveParts(
  objectType: Agreed<string>,
  operation: Agreed<Operation>,
  objectKey: Agreed<number | null>,
  types: Model['types'],
): ReadEventType | Mistake[] {
  if (!objectType)
    return [
      operation
        ? {
            name: 'objectType',
            message: 'is required where the operation stands alone; or write eventType like BunkerOrder.U.',
          }
        : { name: 'eventType', message: 'is required: what the subscription matches, like BunkerOrder.U.' },
    ];
  const type = types.get(objectType.value);
  const mistakes: Mistake[] = [];
  if (!type || !isReadable(type))
    mistakes.push({ name: objectType.name, message: unknownType(objectType.value, types) });
  else if (!type.makesEvents)
    mistakes.push({ name: objectType.name, message: `names ${type.name}, whose changes are never notified.` });
  if (!operation) mistakes.push({ name: 'eventType', message: `is required: one of ${operationNames}.` });
  else if (operation.value === 'C' && objectKey && objectKey.value !== null)
    mistakes.push({
      name: objectKey.name,
      message: 'has a key with C: what is yet to be created has none. Leave it out.',
    });
  if (mistakes.length > 0) return mistakes;
  const key = objectKey?.value ?? null;
  return {
    type: type!,
    operation: operation!.value,
    objectKey: key === null ? undefined : { key, name: objectKey!.name },
  };
}

/** Notifications show what `read` shows. Subscribers must not learn that other types exist. */
function isReadable({ access }: ObjectType): boolean {
  return scopesNeeded(access.read).every((scope) => scope === 'read' || scope === 'webhook');
}

function unknownType(name: string, types: Model['types']): string {
  const known = [...types.values()].filter((type) => type.makesEvents && isReadable(type));
  return `names ${quoteText(name)}, and there is no such object type.${didYouMean(
    name,
    known.map((type) => type.name),
  )}`;
}

export function asNumber(key: number): NumberLiteral {
  return new NumberLiteral(String(key));
}
