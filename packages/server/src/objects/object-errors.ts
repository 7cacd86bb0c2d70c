// The errors that all operations on objects share.

import { ApiError, type Violation } from '../errors.ts';
import type { ObjectType } from '../model/object-type.ts';

export function notFound({ name }: Pick<ObjectType, 'name'>, key: number): ApiError {
  return new ApiError('notFound', `There is no ${name} with key ${key}.`);
}

/** Reports all mistakes at once; the message states the first one. */
export function rejectViolations(violations: readonly Violation[]): void {
  const [first] = violations;
  if (!first) return;
  const others = violations.length - 1;
  const more = others > 0 ? ` (and ${others} more error${others > 1 ? 's' : ''}, see violations)` : '';
  throw new ApiError('invalidBody', `${first.path === '' ? 'The body' : first.path}: ${first.message}${more}`, {
    violations: violations.slice(0, violationsShown),
  });
}

/** A body of 1 MB can contain a hundred thousand mistakes. */
export const violationsShown = 100;
