// The memory that scripts take: greedy scripts in the process that runs them, measured in a separate one, and ordinary
// scripts in their engine.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compileEngine } from '../src/engine-binary.ts';
import { ScriptVm } from '../src/script-vm.ts';
import { drawVmImage } from '../src/vm-image.ts';
import { callOf } from './script-fixture.ts';

const greedy = [
  '"x".repeat(2 ** 29)',
  'new Uint8Array(2 ** 31 - 1)',
  'new Array(2 ** 32 - 1).fill(1)',
  '2n ** (2n ** 26n)',
  'JSON.parse("[".repeat(1e6) + "]".repeat(1e6))',
  'Array.from({ length: 5e6 }, (_, i) => -i).sort()',
  'const a = []; while (1) a.push(new Array(1e5).fill(1))',
  'let s = "xy"; for (;;) s += s',
  'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)',
];

const sandboxModule = new URL('../dist/script-sandbox.js', import.meta.url).href;

const program = `
  import { openScriptSandbox } from ${JSON.stringify(sandboxModule)};
  const sandbox = openScriptSandbox({ threads: 1 });
  const [good, ...bad] = ${JSON.stringify(['return true', ...greedy].map((body) => callOf(body)))};
  await sandbox.run(Array(1000).fill(good));
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => { most = Math.max(most, process.memoryUsage.rss()); }, 5);
  for (let round = 0; round < 3; round++) {
    for (const call of bad) if ((await sandbox.run([call]))[0].kind !== 'failed') throw new Error(call.body);
  }
  clearInterval(watch);
  await sandbox.close();
  console.log((most - before) / 1024 / 1024);`;

test('SCR-11: greedy scripts never make the process grow by more than 64 MB', async () => {
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 60_000 });
  const grownMb = Number((await run).stdout);
  expect(grownMb).toBeGreaterThan(1);
  expect(grownMb).toBeLessThan(64);
}, 70_000);

test('the memory of an engine is flat over 20,000 calls, each with new objects of many shapes', async () => {
  const vm = await ScriptVm.open(await drawVmImage(compileEngine()));
  const body =
    'message.body = { n: svcObject.n, ports: svcObject.ports.length }; return svcObject.n !== oldSvcObject.n';
  const objectOf = (n: number) => ({
    text: JSON.stringify({
      n,
      ports: Array(n % 20).fill({ code: 'é', at: [{ n }] }),
      [`shape ${n % 90}`]: [{ a: {} }],
    }),
  });
  const call = (n: number) => {
    const inputs = [objectOf(n), objectOf(n - 1), { text: '{}' }, { text: '{}' }];
    const outcome = vm.run({ version: 'one', body, inputs, nowMs: n, seed: n });
    if (!('isTrue' in outcome)) throw new Error(JSON.stringify(outcome));
  };
  // This is not about time, and of so many calls one may well be under way while the machine stands still.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  for (let n = 1; n < 2_000; n++) call(n);
  const before = vm.memoryBytes;
  for (let n = 2_000; n < 22_000; n++) call(n);
  expect(vm.memoryBytes - before).toBeLessThanOrEqual(128 * 1024);
  expect(vm.isSpent).toBe(false);
  vm.dispose();
}, 60_000);
