// `npm start` after `npm ci --omit=dev`: it uses compiled code that is up to date, or says what to do.

import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const script = 'scripts/compile-if-possible.mjs';
let checkout: string;

/** A checkout with one package and the console, which is built, and no compiler. */
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'flaghoist-checkout-'));
  onTestFinished(() => rm(checkout, { recursive: true, force: true }));
  for (const file of [script, 'scripts/build-console.mjs'])
    await cp(resolve(import.meta.dirname, '../..', file), join(checkout, file));
  await writeConsole();
  await mkdir(join(checkout, 'packages/one/src/inner'), { recursive: true });
  await writeFile(join(checkout, 'packages/one/src/inner/index.ts'), '');
  await changedAt('src/inner/index.ts', 1_000);
});

async function writeConsole(): Promise<void> {
  for (const folder of ['src', 'dist']) await mkdir(join(checkout, 'packages/console', folder), { recursive: true });
  for (const file of ['src/main.tsx', 'index.html', 'vite.config.ts', 'package.json', 'dist/.built']) {
    const path = join(checkout, 'packages/console', file);
    await writeFile(path, '');
    await utimes(path, 1_000, 1_000);
  }
}

async function compiledAt(seconds: number): Promise<void> {
  await mkdir(join(checkout, 'packages/one/dist'));
  await writeFile(join(checkout, 'packages/one/dist/.tsbuildinfo'), '');
  await changedAt('dist/.tsbuildinfo', seconds);
}

async function changedAt(path: string, seconds: number): Promise<void> {
  await utimes(join(checkout, 'packages/one', path), seconds, seconds);
}

function prepare() {
  const { status, stderr } = spawnSync(process.execPath, [join(checkout, script)], { encoding: 'utf8' });
  return { status, stderr };
}

const advice = {
  status: 1,
  stderr: expect.stringMatching(/compiler is not installed[\s\S]*npm ci && npm start[\s\S]*install\.md/),
};

test('code that was compiled after the last change is used without the compiler', async () => {
  await compiledAt(1_001);
  expect(prepare()).toEqual({ status: 0, stderr: '' });
});

test('without compiled code, it says what to do', () => {
  expect(prepare()).toEqual(advice);
});

test('with a source that is newer than the compiled code, it says what to do', async () => {
  await compiledAt(999);
  expect(prepare()).toEqual(advice);
});

test('with a source of the console that is newer than what was built, it says what to do', async () => {
  await compiledAt(1_001);
  await utimes(join(checkout, 'packages/console/src/main.tsx'), 1_002, 1_002);
  expect(prepare()).toEqual(advice);
});
