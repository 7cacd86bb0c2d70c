// Normalises the forms in which a body states what a subscription matches: the list `eventTypes`, or one event type
// (`normalise-event-type.ts`). All forms that are given must agree.

import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { checkKey, listItemsMax, nameOf } from '../objects/check-scalar.ts';
import { cannotBeChanged } from '../objects/compare-sent-back.ts';
import type { Mistake } from '../objects/mistake.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { type EventType, isPlain, parseEventType, wildcard } from './event-type.ts';
import { storedTexts } from './event-types.ts';
import { findTypeMistake, keyWithCreate, partNames, readOneEventType } from './normalise-event-type.ts';

const listName = 'eventTypes';

export const eventTypeNames = [listName, ...partNames] as const;

export interface StatedEventTypes {
  readonly eventTypes: readonly EventType[];
  /** The objects that they name by key, each with the place of the key in the body. */
  readonly objects: readonly { type: ObjectType; key: number; name: string }[];
}

export type ReadEventTypes =
  | { readonly stated: StatedEventTypes; readonly mistakes: readonly [] }
  | { readonly stated: undefined; readonly mistakes: readonly Mistake[] };

/** For a new subscription. `types`: as subscribers see them. */
export function readEventTypes(body: JsonObject, types: Model['types']): ReadEventTypes {
  const value = body.get(listName) ?? null;
  if (value === null) return readOne(body, types, undefined);
  const { eventTypes, mistakes } = readList(value, types);
  if (mistakes.length > 0) return { stated: undefined, mistakes };
  const [first] = eventTypes;
  if (first && eventTypes.length === 1 && isPlain(first)) return readOne(body, types, first);
  const excess = partNames.filter((name) => (body.get(name) ?? null) !== null);
  if (excess.length > 0) return { stated: undefined, mistakes: excess.map((name) => ({ name, message: notBeside })) };
  const objects = eventTypes.flatMap(({ objectType, objectKey: key }, index) =>
    key === null ? [] : [{ type: types.get(objectType)!, key, name: placeOf(index) }],
  );
  return { stated: { eventTypes, objects }, mistakes: [] };
}

const notBeside = `goes with one event type without a wildcard. Leave it out: ${listName} says it all.`;

/** `listed`: the only element of the list, if there is a list. */
function readOne(body: JsonObject, types: Model['types'], listed: EventType | undefined): ReadEventTypes {
  const { eventType, keyName, mistakes } = readOneEventType(body, types, listed && { [listName]: listed });
  if (!eventType) return { stated: undefined, mistakes };
  const { objectType, objectKey: key } = eventType;
  const name = keyName === listName ? placeOf(0) : keyName;
  const objects = key === null ? [] : [{ type: types.get(objectType)!, key, name }];
  return { stated: { eventTypes: [eventType], objects }, mistakes: [] };
}

function readList(value: JsonValue, types: Model['types']): { eventTypes: EventType[]; mistakes: Mistake[] } {
  const wrong = findListMistake(value);
  if (wrong !== undefined) return { eventTypes: [], mistakes: [{ name: listName, message: wrong }] };
  const eventTypes: EventType[] = [];
  const mistakes: Mistake[] = [];
  for (const [index, element] of (value as JsonValue[]).entries()) {
    const read =
      typeof element === 'string' ? parseEventType(element, 'withWildcards') : `must be text, not ${nameOf(element)}.`;
    const message = typeof read === 'string' ? read : findMistake(read, types);
    if (message !== undefined) mistakes.push({ name: placeOf(index), message });
    else eventTypes.push(read as EventType);
  }
  return { eventTypes, mistakes };
}

function findListMistake(value: JsonValue): string | undefined {
  if (!Array.isArray(value)) return `must be an array like ["Voyage.C", "BunkerOrder.*"], not ${nameOf(value)}.`;
  if (value.length === 0) return 'must have at least one event type, like ["BunkerOrder.U"].';
  if (value.length > listItemsMax)
    return `may have at most ${listItemsMax} event types; this has ${value.length}. A wildcard (*) stands for many.`;
  return undefined;
}

function findMistake({ objectType, operation, objectKey }: EventType, types: Model['types']): string | undefined {
  if (objectType === wildcard)
    return objectKey === null ? undefined : 'has a key with the type *. Name the type of the object: Voyage.U.1042.';
  return findTypeMistake(objectType, types) ?? (operation === 'C' && objectKey !== null ? keyWithCreate : undefined);
}

function placeOf(index: number): string {
  return `${listName}[${index}]`;
}

/** For an existing subscription: its event types cannot change, but may be sent back in any of the forms. */
export function compareEventTypes(body: JsonObject, current: LockedRow): Mistake[] {
  const stored = (column: string) => current.get(column) ?? null;
  const isSame: Record<(typeof eventTypeNames)[number], (value: JsonValue) => boolean> = {
    eventTypes: (value) => Array.isArray(value) && isStored(value, stored('event_types')),
    eventType: (value) => value === stored('event_type') || value === stored('operation'),
    objectType: (value) => value === stored('object_type'),
    operation: (value) => value === stored('operation'),
    objectKey: (value) => {
      const checked = value === null ? undefined : checkKey(value);
      const key = checked?.isGood === false ? undefined : (checked?.value ?? null);
      return key === stored('object_key');
    },
  };
  return eventTypeNames
    .filter((name) => body.has(name) && !isSame[name](body.get(name)!))
    .map((name) => ({ name, message: cannotBeChanged }));
}

/** The order counts: the first that matches is the one that notifications name. */
function isStored(list: readonly JsonValue[], stored: string | null): boolean {
  const texts = storedTexts(stored ?? '');
  return list.length === texts.length && list.every((text, index) => text === texts[index]);
}
