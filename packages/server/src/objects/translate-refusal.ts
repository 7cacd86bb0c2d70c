// Translates errors of PostgreSQL into errors of the API; the name of a constraint identifies the attribute. Any other
// error passes through and becomes a 500, because it is a fault of the service.

import { printable } from '@flaghoist/source-text';
import type { Actor } from '../database/database.ts';
import { isRetryable, isTooSlow } from '../database/database-away.ts';
import type { ConstraintPlace } from '../database/tables/constraint-names.ts';
import { ApiError } from '../errors.ts';
import type { ObjectType } from '../model/object-type.ts';
import { isTooLarge } from './long-if-large.ts';
import { selectReferrers } from './object-table.ts';
import { objectTooLarge } from './object-too-large.ts';
import type { ObjectsContext } from './objects-context.ts';

/** `actor`: the caller of the failed request. */
export async function translateRefusal(
  error: unknown,
  context: ObjectsContext,
  actor: Actor | undefined,
): Promise<unknown> {
  const refusal = readRefusal(error);
  const place = refusal && context.places.get(refusal.constraint);
  if (!place) return translateState(error);
  switch (refusal.state) {
    case '23505':
      return new ApiError(
        'alreadyExists',
        `${place.attribute}: another ${place.type.name} already has ` +
          `this value${refusal.value ? ` (${refusal.value})` : ''}.`,
        { cause: error },
      );
    case '23503':
      return refusal.column === 'key'
        ? stillReferred(place, refusal, context, actor)
        : missingTarget(place, refusal, error);
    case '23514':
      if (place.kind === 'values') return invalidValue(place, error);
      if (place.kind !== 'min') return error;
      return new ApiError(
        'lastElement',
        `${place.attribute} of ${place.type.name} ${refusal.detail} may not become empty.`,
        { cause: error },
      );
    default:
      return error;
  }
}

interface Refusal {
  state: string;
  constraint: string;
  detail: string;
  /** The column that the constraint checked, from `Key (port)=(99) …`. */
  column: string | undefined;
  value: string | undefined;
}

function readRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return undefined;
  const detail = 'detail' in error ? String(error.detail) : '';
  const [, column, value] = /\("?(\w+)"?\)=\((.*?)\)/s.exec(detail) ?? [];
  return {
    state: String(error.code),
    constraint: String(error.constraint),
    detail,
    column,
    value: value === undefined ? undefined : printable(value.slice(0, 80)),
  };
}

async function stillReferred(
  { type, attribute }: ConstraintPlace,
  { value }: Refusal,
  { database }: ObjectsContext,
  actor: Actor | undefined,
): Promise<ApiError> {
  const reference = type.references.find(({ name }) => name === attribute);
  const rows = reference && value ? await database.run(selectReferrers(type, reference, Number(value)), actor) : [];
  // A caller must not learn the keys of another user's objects.
  const keys = type.ownedBy ? 'of a user' : rows.map(({ key }) => key).join(', ');
  const what = reference?.target.name ?? 'the object';
  return new ApiError(
    'stillReferred',
    `${what} ${value} cannot be deleted: ${type.name} ${keys} still refers to it by ${attribute}.`,
  );
}

function missingTarget({ type, attribute }: ConstraintPlace, { value, detail }: Refusal, cause: unknown): ApiError {
  const target = targetName(type, attribute);
  const message = `there is no ${target} with key ${value ?? detail}.`;
  return new ApiError('invalidBody', `${attribute}: ${message}`, { violations: [{ path: attribute, message }], cause });
}

/** Happens if another process has removed the value from the model in the meantime. */
function invalidValue({ type, attribute }: ConstraintPlace, cause: unknown): ApiError {
  const message = `has a value that ${type.name} no longer takes.`;
  return new ApiError('invalidBody', `${attribute}: ${message}`, { violations: [{ path: attribute, message }], cause });
}

function targetName(type: ObjectType, attribute: string): string {
  return type.references.find(({ name }) => name === attribute)?.target.name ?? 'object';
}

/** 55P03 is lock_not_available: the statement waited too long for a lock. */
function translateState(error: unknown): unknown {
  const state = error instanceof Error && 'code' in error ? error.code : undefined;
  if (isTooSlow(error)) {
    return new ApiError(
      'queryTooSlow',
      'The request took the database longer than is allowed. Narrow the filter, or ask for fewer fields.',
      { cause: error },
    );
  }
  if (state === '55P03' || isRetryable(error)) {
    return new ApiError('busy', 'Others are changing the same objects. Try again in a moment.', { cause: error });
  }
  if (isTooLarge(error)) return objectTooLarge(error);
  return error;
}
