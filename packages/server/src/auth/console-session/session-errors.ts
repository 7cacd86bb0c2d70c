// The errors of a session that has ended.

import { ApiError } from '../../errors.ts';

export function noSession(): ApiError {
  return new ApiError('sessionEnded', 'There is no session. Sign in.');
}

export function sessionEnded(): ApiError {
  return new ApiError('sessionEnded', 'The session has ended. Sign in again.');
}
