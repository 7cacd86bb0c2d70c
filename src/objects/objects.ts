// Line 1, the front door: list, read, create, change and delete objects of any type. Takes parsed requests and answers
// finished JSON; transport (headers, status codes) is not known here.

import type { Database } from '../database/database.ts';
import type { OnReceived } from '../database/statement-batch.ts';
import { constraintPlaces } from '../database/tables/constraint-names.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import type { ListRequest } from '../query/list-request.ts';
import type { View } from '../query/view.ts';
import type { Caller } from './caller.ts';
import { type ChangeRequest, changeObject } from './change-object.ts';
import type { StoredValue } from './check-scalar.ts';
import { type CreateRequest, createObjects } from './create-objects.ts';
import { type DeleteRequest, deleteObject } from './delete-object.ts';
import type { CreatedAnswer } from './idempotency-table.ts';
import { type ListAnswer, listObjects } from './list-objects.ts';
import type { ObjectsContext } from './objects-context.ts';
import { type ObjectAnswer, readObject } from './read-object.ts';
import { type RehearsalRequest, rehearseObject } from './rehearse-object.ts';
import { translateRefusal } from './translate-refusal.ts';
import type { TypeRules } from './type-rules.ts';

export interface Objects {
  /** `onReceived` is called with the sizes of the parts of the answer as they arrive; what it throws ends the reading. Without
   * `caller`, nobody's share of the connections is taken. */
  list(request: ListRequest, caller?: Caller, onReceived?: OnReceived): Promise<ListAnswer>;
  read(type: ObjectType, key: number, view: View, caller: Caller, onReceived?: OnReceived): Promise<ObjectAnswer>;
  create(request: CreateRequest): Promise<CreatedAnswer>;
  change(request: ChangeRequest): Promise<ObjectAnswer>;
  delete(request: DeleteRequest): Promise<void>;
  /** What creating or changing the object would write, checked and not carried out. */
  rehearse(request: RehearsalRequest): Promise<ReadonlyMap<string, StoredValue>>;
}

export interface ObjectsOptions {
  /** Where objects are found, without a slash at the end. */
  restUrl: string;
  arrayObjectsMax: number;
  rules?: ReadonlyMap<string, TypeRules>;
}

export function openObjects(database: Database, model: Model, options: ObjectsOptions): Objects {
  const { restUrl, arrayObjectsMax, rules = new Map() } = options;
  const context: ObjectsContext = {
    database,
    model,
    links: { restUrl },
    arrayObjectsMax,
    places: constraintPlaces(model),
    rules,
  };
  const translated = <T>(caller: Caller | undefined, work: Promise<T>): Promise<T> =>
    work.catch(async (error) => {
      throw await translateRefusal(error, context, caller);
    });
  return {
    list: (request, caller, onReceived) => translated(caller, listObjects(context, request, caller, onReceived)),
    read: (type, key, view, caller, onReceived) =>
      translated(caller, readObject(context, type, key, view, caller, onReceived)),
    create: (request) => translated(request.caller, createObjects(context, request)),
    change: (request) => translated(request.caller, changeObject(context, request)),
    delete: (request) => translated(request.caller, deleteObject(context, request)),
    rehearse: (request) => translated(request.caller, rehearseObject(context, request)),
  };
}
