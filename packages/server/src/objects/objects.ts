// The entry point of line 1 (see ARCHITECTURE.md): list, read, create, change and delete objects of any type. Takes
// parsed requests and returns finished JSON; headers and status codes are handled elsewhere.

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
import { DaysOfTypes } from './days-of-types.ts';
import { type DeleteRequest, deleteObject } from './delete-object.ts';
import type { CreatedAnswer } from './idempotency-table.ts';
import { type ListAnswer, listObjects } from './list-objects.ts';
import type { ObjectsContext } from './objects-context.ts';
import { type ObjectAnswer, readObject } from './read-object.ts';
import { type RehearsalRequest, rehearseObject } from './rehearse-object.ts';
import { translateDatabaseError } from './translate-database-error.ts';
import { type LookAtTrial, type Trial, tryOutChange } from './try-out-change.ts';
import type { TypeRules } from './type-rules.ts';

export interface Objects {
  /**
   * `onReceived` is called with the size of each part of the response as it arrives; if it throws, reading stops.
   * Without `caller`, the request does not count against any caller's share of the connections.
   */
  list(request: ListRequest, caller?: Caller, onReceived?: OnReceived): Promise<ListAnswer>;
  read(type: ObjectType, key: number, view: View, caller: Caller, onReceived?: OnReceived): Promise<ObjectAnswer>;
  create(request: CreateRequest): Promise<CreatedAnswer>;
  change(request: ChangeRequest): Promise<ObjectAnswer>;
  delete(request: DeleteRequest): Promise<void>;
  /** Checks a create or change without carrying it out, and returns the values it would write. */
  rehearse(request: RehearsalRequest): Promise<ReadonlyMap<string, StoredValue>>;
  /** Carries out a create, change or delete, shows it to `look`, and undoes it. */
  tryOut<T>(trial: Trial, look: LookAtTrial<T>): Promise<T>;
}

export interface ObjectsOptions {
  /** The base URL of the objects, without a trailing slash. */
  restUrl: string;
  arrayObjectsMax: number;
  rules?: ReadonlyMap<string, TypeRules>;
}

export function openObjects(database: Database, model: Model, options: ObjectsOptions): Objects {
  const { restUrl, arrayObjectsMax, rules = new Map() } = options;
  const context: ObjectsContext = {
    database,
    days: new DaysOfTypes(database),
    model,
    links: { restUrl },
    arrayObjectsMax,
    places: constraintPlaces(model),
    rules,
  };
  const translated = <T>(caller: Caller | undefined, work: Promise<T>): Promise<T> =>
    work.catch(async (error) => {
      throw await translateDatabaseError(error, context, caller);
    });
  return {
    list: (request, caller, onReceived) => translated(caller, listObjects(context, request, caller, onReceived)),
    read: (type, key, view, caller, onReceived) =>
      translated(caller, readObject(context, type, key, view, caller, onReceived)),
    create: (request) => translated(request.caller, createObjects(context, request)),
    change: (request) => translated(request.caller, changeObject(context, request)),
    delete: (request) => translated(request.caller, deleteObject(context, request)),
    rehearse: (request) => translated(request.caller, rehearseObject(context, request)),
    tryOut: (trial, look) => translated(trial.caller, tryOutChange(context, trial, look)),
  };
}
