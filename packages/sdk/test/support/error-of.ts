// The error that a call ends with.

import { expect } from 'vitest';
import { FlaghoistError } from '../../src/index.ts';

export async function errorOf(call: Promise<unknown>): Promise<FlaghoistError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FlaghoistError);
  return error as FlaghoistError;
}
