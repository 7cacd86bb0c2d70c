// The error for a request whose answer would contain an object that is too large.

import { ApiError } from '../errors.ts';

/** The limit applies to each object of a list, and to all objects of an array POST together. */
export function objectTooLarge(cause: unknown): ApiError {
  return new ApiError(
    'answerTooLarge',
    'An object of the answer would have more than 18 MB. Select less with fields, ' +
      'or page through a list of what it contains.',
    { cause },
  );
}
