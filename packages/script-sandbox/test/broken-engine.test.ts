// If no engine can be started, scripts get no result: that is an error of the machine, not of the script.

import { PoolBusy } from '@flaghoist/thread-pool';
import { afterAll, expect, test, vi } from 'vitest';
import { openScriptSandbox } from '../src/script-sandbox.ts';
import { callOf } from './script-fixture.ts';

/** What a platform gives that compiles no WebAssembly. */
class NoModule {}

vi.stubGlobal('WebAssembly', { Module: NoModule });
const sandbox = openScriptSandbox({ threads: 1 });
vi.unstubAllGlobals();
afterAll(() => sandbox.close());

test('calls and checks reject with PoolBusy and the cause, and the next one is tried again', async () => {
  for (const attempt of [() => sandbox.run([callOf('return true')]), () => sandbox.check('return true')]) {
    const refusal = await attempt().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PoolBusy);
    expect(refusal).toMatchObject({
      message: expect.stringMatching(/^A thread could not be started: /),
      cause: expect.any(Error),
    });
    expect(sandbox.freeThreads).toBe(1);
  }
});
