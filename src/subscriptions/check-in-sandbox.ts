// What is checked in a sandbox when it is saved waits for its turn there; where too many are waiting, the caller may come again.

import { ApiError } from '../errors.ts';
import { PoolBusy } from '../sandbox/worker-pool.ts';

export async function whileBusy<T>(check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof PoolBusy)) throw error;
    throw new ApiError('busy', 'Too many scripts and stylesheets are being checked just now.');
  }
}
