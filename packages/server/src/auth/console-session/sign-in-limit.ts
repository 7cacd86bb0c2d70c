// The error of an address that signs in too often.

import { ApiError } from '../../errors.ts';
import { retryAfter } from '../token-endpoint/token-throttle.ts';

export function rejectTooMany(waitMs: number): void {
  if (waitMs > 0) throw tooMany(waitMs);
}

export function tooMany(waitMs: number): ApiError {
  return new ApiError('tooManyRequests', 'Too many sign-ins from this address. Try again later.', {
    headers: { 'retry-after': retryAfter(waitMs) },
  });
}
