// Refuses a sign-in: observes why, and throws the error.

import type { ApiError } from '../../errors.ts';
import type { SignInMethod, SignInProblem } from '../../observe/observation.ts';
import type { ConsoleParts } from './console-parts.ts';

export function refuse(
  { observe }: Pick<ConsoleParts, 'observe'>,
  method: SignInMethod,
  reason: SignInProblem,
  error: ApiError,
): never {
  observe({ kind: 'console.signInRefused', method, reason });
  throw error;
}
