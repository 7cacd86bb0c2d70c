// The internal functions of quickjs-wasi that `pending-jobs.ts` uses. If this fails after an upgrade, look there first.

import { QuickJS } from 'quickjs-wasi';
import { expect, test } from 'vitest';
import { compileEngine } from '../src/engine-binary.ts';
import { runPendingJobs } from '../src/pending-jobs.ts';

test('jobs run one at a time, and no more than allowed', async () => {
  const engine = await QuickJS.create({ wasm: compileEngine() });
  const ran = () => engine.evalCode('globalThis.ran').consume((count) => count.toNumber());
  engine
    .evalCode(
      'globalThis.ran = 0; const job = () => { ran++; Promise.resolve().then(job) }; Promise.resolve().then(job)',
    )
    .dispose();
  expect(ran()).toBe(0);
  expect(runPendingJobs(engine, (jobs) => jobs < 3)).toBe(3);
  expect(ran()).toBe(3);
  expect(runPendingJobs(engine, () => false)).toBe(0);
  engine.dispose();
});
