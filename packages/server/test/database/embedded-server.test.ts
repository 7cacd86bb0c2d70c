// The embedded PostgreSQL as the operator sees it: the settings that its errors name.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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

test('a database of another PostgreSQL is reported with the commands that move its content', async () => {
  const cluster = join(folder, 'older', 'postgres');
  await mkdir(join(cluster, 'global'), { recursive: true });
  await writeFile(join(cluster, 'PG_VERSION'), '9\n');
  const message = await messageOf(startEmbedded({ dataDir: join(folder, 'older'), observe }));
  expect(message).toMatch(/created by PostgreSQL 9, .* Make a backup with the version .* that created it, and restore/);
  expect(message).toMatch(/`flaghoist backup <file>` makes the backup, and `flaghoist restore <file>` restores it/);
});

test('the settings come before what PostgreSQL printed', async () => {
  const options = { dataDir: join(folder, 'broken'), observe, settings: { no_such_setting: 'on' } };
  const [explanation, ...output] = (await messageOf(startEmbedded(options))).split('\n');
  expect(explanation).toMatch(/FLAGHOIST_DATA_DIR sets the data folder\. DATABASE_URL names .* \(15 to 18\)\.$/);
  expect(output).toEqual(['PostgreSQL said:', expect.stringContaining('no_such_setting')]);
});
