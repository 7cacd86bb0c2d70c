// Translates errors of PostgreSQL into errors of the API; the name of a constraint identifies the attribute. Any other
// error passes through and becomes a 500, because it is a fault of the service.

import { printable } from '@flaghoist/source-text';
import type { Actor } from '../database/database.ts';
import { isRetryable, isTooSlow } from '../database/database-away.ts';
import type { ConstraintPlace } from '../database/tables/constraint-names.ts';
import { ApiError } from '../errors.ts';
import { selectReferrers } from './object-table.ts';
import type { ObjectsContext } from './objects-context.ts';
import { isTooLarge } from './read-object.ts';

/** `actor`: the caller of the failed request. */
export async function translateDatabaseError(
  error: unknown,
  context: ObjectsContext,
  actor: Actor | undefined,
): Promise<unknown> {
  const broken = readConstraint(error);
  const place = broken && context.places.get(broken.constraint);
  if (!place) return translateState(error);
  const { state, column, value, detail } = broken;
  const { attribute, type, kind } = place;
  switch (state) {
    case '23505': {
      const shown = value ? ` (${value})` : '';
      const message = `${attribute}: another ${type.name} already has this value${shown}.`;
      return new ApiError('alreadyExists', message, { cause: error });
    }
    case '23503':
      if (column === 'key') return stillReferred(place, broken, context, actor);
      return invalidValue(place, `there is no ${targetName(place)} with key ${value ?? detail}.`, error);
    case '23514':
      // Another process has removed the value from the model in the meantime.
      if (kind === 'values') return invalidValue(place, `has a value that ${type.name} no longer takes.`, error);
      if (kind !== 'min') return error;
      return new ApiError('lastElement', `${attribute} of ${type.name} ${detail} may not become empty.`, {
        cause: error,
      });
    default:
      return error;
  }
}

interface BrokenConstraint {
  state: string;
  constraint: string;
  detail: string;
  /** The column that the constraint checked, from `Key (port)=(99) …`. */
  column: string | undefined;
  value: string | undefined;
}

function readConstraint(error: unknown): BrokenConstraint | undefined {
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
  place: ConstraintPlace,
  { value }: BrokenConstraint,
  { database }: ObjectsContext,
  actor: Actor | undefined,
): Promise<ApiError> {
  const { type, attribute } = place;
  const reference = type.references.find(({ name }) => name === attribute);
  const rows = reference && value ? await database.run(selectReferrers(type, reference, Number(value)), actor) : [];
  // A caller must not learn the keys of another user's objects.
  const keys = type.ownedBy ? 'of a user' : rows.map(({ key }) => key).join(', ');
  return new ApiError(
    'stillReferred',
    `${targetName(place)} ${value} cannot be deleted: ${type.name} ${keys} still refers to it by ${attribute}.`,
  );
}

function invalidValue({ attribute }: ConstraintPlace, message: string, cause: unknown): ApiError {
  return new ApiError('invalidBody', `${attribute}: ${message}`, { violations: [{ path: attribute, message }], cause });
}

function targetName({ type, attribute }: ConstraintPlace): string {
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
  if (!isTooLarge(error)) return error;
  // The limit applies to each object of a list, and to all objects of an array POST together.
  return new ApiError(
    'answerTooLarge',
    'An object of the response would have more than 18 MB. Select less with fields, ' +
      'or page through a list of what it contains.',
    { cause: error },
  );
}
