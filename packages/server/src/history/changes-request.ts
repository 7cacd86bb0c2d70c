// Reads what a request for changes asks for, and checks it against the model.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { ApiError } from '../errors.ts';
import type { Operation } from '../events/change-event.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import type { OperationCall } from '../objects/action-call.ts';
import { parseEventType, wildcard } from '../subscriptions/event-type.ts';

export interface ChangesRequest {
  type: ObjectType | undefined;
  key: number | undefined;
  withHierarchy: boolean;
  /** What the event must be: of this type, and this operation. */
  changedType: ObjectType | undefined;
  operation: Operation | undefined;
  before: number | undefined;
  limit: number;
}

export function readChangesRequest({ given, model }: Pick<OperationCall, 'given' | 'model'>): ChangesRequest {
  const numberOf = (name: string) => (given.get(name) ? Number(given.get(name)) : undefined);
  const typeName = given.get('objectType') ?? undefined;
  const type = typeName === undefined ? undefined : typeNamed(model, 'objectType', typeName);
  const withHierarchy = given.get('hierarchy') === 'true';
  if (withHierarchy && !type) throw refused('hierarchy: also needs objectType.');
  const event = given.get('event') ?? undefined;
  const key = numberOf('objectKey');
  return {
    type,
    key,
    withHierarchy,
    ...(event === undefined ? { changedType: undefined, operation: undefined } : readEvent(model, event)),
    before: numberOf('before'),
    limit: numberOf('limit')!,
  };
}

function readEvent(model: Model, text: string): Pick<ChangesRequest, 'changedType' | 'operation'> {
  const parsed = parseEventType(text, 'withWildcards');
  if (typeof parsed === 'string') throw refused(`event: ${parsed}`);
  const { objectType, operation, objectKey } = parsed;
  if (objectKey !== null) throw refused('event: has a key; give it as objectKey.');
  return {
    changedType: objectType === wildcard ? undefined : typeNamed(model, 'event', objectType),
    operation: operation === wildcard ? undefined : operation,
  };
}

function typeNamed(model: Model, parameter: string, name: string): ObjectType {
  const type = model.types.get(name);
  if (type?.makesEvents) return type;
  if (type) throw refused(`${parameter}: changes to ${name} are not recorded.`);
  const names = [...model.types.values()].filter(({ makesEvents }) => makesEvents).map((each) => each.name);
  throw refused(`${parameter}: there is no type ${quoteText(name)}.${didYouMean(name, names)}`);
}

function refused(message: string): ApiError {
  return new ApiError('invalidQuery', message);
}
