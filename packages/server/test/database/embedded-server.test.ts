// The embedded PostgreSQL as the operator sees it: the settings that its errors name.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findEmbedded, reachEmbedded, startEmbedded } from '../../src/database/embedded-server.ts';
import { OperatorError } from '../../src/errors.ts';

const observe = () => undefined;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flaghoist-embedded-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OperatorError);
  return (error as OperatorError).message;
}

test('a data folder that cannot be used is reported with the setting that names it', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const message = await messageOf(startEmbedded({ dataDir: join(file, 'data'), observe }));
  expect(message).toMatch(/cannot be used: Not a directory\..* FLAGHOIST_DATA_DIR sets the data folder\.$/);
  expect(await messageOf(findEmbedded(join(file, 'data')))).toBe(message);
});

test('a data folder without a database is reported with the settings that a service may have', async () => {
  const message = await messageOf(reachEmbedded({ dataDir: join(folder, 'none'), observe, mayCreate: false }));
  expect(message).toMatch(/FLAGHOIST_DATA_DIR sets the data folder\. DATABASE_URL names a separate PostgreSQL server/);
});

test('the settings come before what PostgreSQL printed', async () => {
  const options = { dataDir: join(folder, 'broken'), observe, settings: { no_such_setting: 'on' } };
  const [explanation, ...output] = (await messageOf(startEmbedded(options))).split('\n');
  expect(explanation).toMatch(/FLAGHOIST_DATA_DIR sets the data folder\. DATABASE_URL names .* \(15 to 18\)\.$/);
  expect(output).toEqual(['PostgreSQL said:', expect.stringContaining('no_such_setting')]);
});
