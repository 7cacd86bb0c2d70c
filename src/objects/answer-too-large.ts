// How large one answer may be, and what whoever asks for more is told.

import { ApiError } from '../errors.ts';

/** The function `flaghoist_system.bounded` has the same number. */
export const answerBytesMax = 67_108_864;

export function answerTooLarge(cause?: unknown): ApiError {
  return new ApiError(
    'answerTooLarge',
    'The answer would have more than 64 MB. Page through the list with limit, or select less with fields.',
    { cause },
  );
}
