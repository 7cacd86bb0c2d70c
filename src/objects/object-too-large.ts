// What a client is told that asks for an object which is too large.

import { ApiError } from '../errors.ts';

/** It holds for each object of a list, and for all objects of an array POST together. */
export function objectTooLarge(cause: unknown): ApiError {
  return new ApiError(
    'answerTooLarge',
    'An object of the answer would have more than 18 MB. Select less with fields, ' +
      'or page through a list of what it contains.',
    { cause },
  );
}
