// Finds the type of the subscribed objects that an expression in an editor is about.

import type { Model, ObjectType } from '../../model/object-type.ts';
import { subscriberModel } from '../../model/subscriber-model.ts';
import type { ActionCall } from '../../objects/action-call.ts';
import { type Mistake, violationsAt } from '../../objects/mistake.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import { readStoredList } from '../../objects/stored-list.ts';
import { onlyObjectType } from '../../subscriptions/event-types.ts';
import { findTypeMistake } from '../../subscriptions/normalise-event-type.ts';
import { readEventTypes } from '../../subscriptions/normalise-event-types.ts';
import { subscribableTypes } from '../../subscriptions/subscribable-types.ts';

/** Types as subscribers see them. `all`: also those that cannot be subscribed to, for messages. */
export interface EditedTypes {
  all: Model['types'];
  subscribable: Model['types'];
}

export function editedTypes(model: Model): EditedTypes {
  return { all: subscriberModel(model).types, subscribable: subscribableTypes(model) };
}

export function readEditedType({ given }: ActionCall, { all, subscribable }: EditedTypes): ObjectType {
  const { name, mistakes } = findName(given.get('objectType') ?? undefined, given.get('eventTypes') ?? undefined, all);
  rejectViolations(violationsAt('', mistakes));
  return subscribable.get(name)!;
}

interface Found {
  /** Of the type, if there are no mistakes. */
  name: string;
  mistakes: readonly Mistake[];
}

function findName(objectType: string | undefined, eventTypes: string | undefined, types: Model['types']): Found {
  if (eventTypes !== undefined) {
    if (objectType !== undefined) return mistaken('objectType', 'goes without eventTypes, which name the type.');
    const { stated, mistakes } = readEventTypes(new Map([['eventTypes', readStoredList(eventTypes)]]), types);
    const name = stated && onlyObjectType(stated.eventTypes);
    if (!stated) return { name: '', mistakes };
    return name === undefined ? mistaken('eventTypes', severalTypes) : { name, mistakes };
  }
  if (objectType === undefined) return mistaken('objectType', 'is required, or eventTypes.');
  const mistake = findTypeMistake(objectType, types);
  return mistake === undefined ? { name: objectType, mistakes: [] } : mistaken('objectType', mistake);
}

const severalTypes = 'must be of one object type: an expression is about objects of one type.';

function mistaken(name: string, message: string): Found {
  return { name: '', mistakes: [{ name, message }] };
}
