// What is wrong with a backup or a target is said before anything is restored, and a restore that fails or is killed
// leaves the database empty.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseRelay } from '../support/database-relay.ts';
import { create } from '../support/fleet.ts';
import { runFlaghoist, spawnFlaghoist } from '../support/run-compiled.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { contentsOf, refusal, rewritten, schemasOf, settingsOf, succeed, useFolder } from './installations.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const target = useTestDatabase({ isMigrated: false });
const folder = useFolder();
const file = join(folder, 'backup.gz');
let backup: Buffer;
let rows: number;

beforeAll(async () => {
  for (const vesselName of ['One', 'Two', 'Three']) await create(service, 'Vessel', { vesselName });
  ({ rows } = await succeed(['backup', file], settingsOf(service.database.url)));
  backup = readFileSync(file);
});

function stored(name: string, content: Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe('a backup that cannot be restored', () => {
  afterEach(async () => expect(await schemasOf(target.pool)).toEqual([]));
  const restore = (path: string, more = {}) => refusal(['restore', path], settingsOf(target.url, more));

  test.each([0.2, 0.9, 0.999])('truncated at %f', async (part) => {
    const path = stored('truncated.gz', backup.subarray(0, Math.floor(backup.length * part)));
    expect(await restore(path)).toContain('The backup is damaged or incomplete: its end is missing.');
  });

  test('truncated before it was compressed, with all rows but without the end mark', async () => {
    const path = stored(
      'no-end.gz',
      rewritten(backup, (text) => text.replace(/\{"end":.*\n$/, '')),
    );
    expect(await restore(path)).toContain('its end is missing');
  });

  test('with a damaged byte', async () => {
    const damaged = Buffer.from(backup);
    damaged[Math.floor(backup.length / 2)]! ^= 0x10;
    expect(await restore(stored('damaged.gz', damaged))).toMatch(
      /The backup is damaged or incomplete|cannot be stored/,
    );
  });

  test.each([
    ['a changed value', (text: string) => text.replace('\tTwo\t', '\tTow\t'), 'its checksum does not match'],
    ['a missing row', (text: string) => text.replace(/\n[^\n]*\tTwo\t[^\n]*/, ''), 'rows are missing'],
    ['a missing table', (text: string) => text.replace(/\n\{"schema":"flaghoist","table":"port"\}\n/, '\n'), 'damaged'],
    ['something behind it', (text: string) => `${text}more\n`, 'something follows its end'],
  ])('with %s', async (_, change, reason) => {
    expect(gunzipSync(rewritten(backup, change)).equals(gunzipSync(backup))).toBe(false);
    expect(await restore(stored('changed.gz', rewritten(backup, change)))).toContain(reason);
  });

  test('of a newer version, of a newer format, or of another build', async () => {
    const newer = rewritten(backup, (text) =>
      text.replace('"migrations":[', '$&{"name":"9999-later.sql","digest":"x"},'),
    );
    expect(await restore(stored('newer.gz', newer))).toMatch(/made by a newer version of Flaghoist .*9999-later\.sql/);
    const format = rewritten(backup, (text) => text.replace('"formatVersion":1', '"formatVersion":2'));
    expect(await restore(stored('format.gz', format))).toContain('has format 2, and this version reads format 1');
    const other = rewritten(backup, (text) => text.replace(/"digest":"./, '"digest":"x'));
    expect(await restore(stored('other.gz', other))).toContain('by another build of Flaghoist');
  });

  test('because it has a column that was added by hand', async () => {
    const own = rewritten(backup, (text) => text.replace('"vessel","columns":[', '$&"colour",'));
    expect(await restore(stored('own.gz', own))).toMatch(
      /not create "flaghoist"\."vessel"\.colour.*by hand: Move such/,
    );
  });

  test('because it is no backup, or is not there', async () => {
    expect(await restore(stored('text', Buffer.from('no backup')))).toContain('This is not a backup of Flaghoist.');
    expect(await restore(stored('other', gzipSync('{}\n')))).toContain('This is not a backup of Flaghoist');
    expect(await restore(stored('empty', Buffer.alloc(0)))).toContain('damaged or incomplete');
    expect(await restore(join(folder, 'missing'))).toContain('The backup cannot be read: ENOENT');
  });

  test('because the encryption key is missing or another one', async () => {
    const none = { FLAGHOIST_ENCRYPTION_KEY: '' };
    expect(await restore(file, none)).toMatch(/needs the encryption key of the original: set FLAGHOIST_ENCRYPTION_KEY/);
    expect(await restore(file, { FLAGHOIST_ENCRYPTION_KEY: 'A'.repeat(43) })).toContain('is not the key of the');
    const dataDir = join(folder, 'wrong');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'encryption-key'), `${'A'.repeat(43)}\n`);
    expect(await restore(file, { ...none, FLAGHOIST_DATA_DIR: dataDir })).toMatch(/The encryption key in .*wrong/);
  });
});

test('a key that is in the backup is stored in the data folder', async () => {
  const withKey = join(folder, 'with-key.gz');
  const made = await succeed(['backup', withKey, '--with-encryption-key'], settingsOf(service.database.url));
  expect(made.hasEncryptionKey).toBe(true);
  const { FLAGHOIST_ENCRYPTION_KEY: key, ...environment } = settingsOf(target.url);
  expect(gunzipSync(backup).toString()).not.toContain(Buffer.from(key!, 'base64').toString('base64url'));
  const dataDir = join(folder, 'new');
  const restored = await succeed(['restore', withKey], { ...environment, FLAGHOIST_DATA_DIR: dataDir });
  expect(restored.savedKeyFile).toBe(join(dataDir, 'encryption-key'));
  expect(statSync(restored.savedKeyFile).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readFileSync(restored.savedKeyFile, 'utf8').trim(), 'base64url')).toEqual(
    Buffer.from(key!, 'base64'),
  );
  await target.pool.query('drop schema flaghoist, flaghoist_service, flaghoist_partition, flaghoist_system cascade');
});

test('a restore that loses its connection after the commit has succeeded', async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  onTestFinished(() => relay.close());
  relay.loseAnswerTo('analyze ');
  expect((await succeed(['restore', file], settingsOf(relay.urlOf(target.url)))).rows).toBe(rows);
  await target.pool.query('drop schema flaghoist, flaghoist_service, flaghoist_partition, flaghoist_system cascade');
});

test('a restore that is killed leaves an empty database, and the next one succeeds', async () => {
  const child = spawnFlaghoist(['restore', '-'], settingsOf(target.url), undefined, 'pipe');
  // Everything but the end, which it waits for.
  child.stdin!.write(backup.subarray(0, backup.length - 200));
  const restoring = `select count(*)::int as count from pg_stat_activity
    where application_name = 'flaghoist restore' and datname = current_database()`;
  const count = async (condition = '') => (await target.pool.query(`${restoring} ${condition}`)).rows[0].count;
  await expect.poll(() => count("and query ilike 'copy %'"), { timeout: 30_000 }).toBe(1);
  child.kill('SIGKILL');
  await expect.poll(() => count(), { timeout: 30_000 }).toBe(0);
  expect(await schemasOf(target.pool)).toEqual([]);
  expect((await succeed(['restore', file], settingsOf(target.url))).rows).toBe(rows);
});

test('a database that is not empty is left as it is', async () => {
  const before = await contentsOf(service.database.pool);
  const said = await refusal(['restore', file], settingsOf(service.database.url));
  expect(said).toMatch(/already has an installation \(schema flaghoist, .*set FLAGHOIST_DATA_DIR to a folder that/);
  expect(await contentsOf(service.database.pool)).toEqual(before);
});

describe('a backup that cannot be written', () => {
  const settings = () => settingsOf(service.database.url);

  test.each(['missing/backup.gz', '.'])('to %s', async (path) => {
    expect(await refusal(['backup', join(folder, path)], settings())).toMatch(/cannot be written|is not a file/);
  });

  test('to a device, which would be replaced', async () => {
    expect(await refusal(['backup', '/dev/null'], settings())).toContain('/dev/null is not a file');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('because there is no space: what was there before is left, and nothing else', async () => {
    const path = stored('kept.gz', Buffer.from('the one before'));
    const program = resolve(fileURLToPath(new URL('../../dist/main.js', import.meta.url)));
    // A limit of 8 kB for files: writing fails as on a full disk.
    const command = `ulimit -f 8; exec "${process.execPath}" "${program}" backup "${path}"`;
    const run = promisify(execFile)('bash', ['-c', command], { env: { PATH: process.env.PATH, ...settings() } });
    const { code, stderr } = await run.then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    );
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('EFBIG') });
    expect(stderr).toContain(`The backup cannot be written to ${path}`);
    expect(readFileSync(path, 'utf8')).toBe('the one before');
    expect(readdirSync(dirname(path)).filter((name) => name.includes('.partial-'))).toEqual([]);
  });

  test('because the model of the service has other types', async () => {
    const modelFile = stored('model.json', Buffer.from('{"types":{"Berth":{"attributes":{}}}}'));
    const said = await refusal(['backup', join(folder, 'never.gz')], {
      ...settings(),
      FLAGHOIST_MODEL_FILE: modelFile,
    });
    expect(said).toContain('The database does not match this version and model');
    expect(existsSync(join(folder, 'never.gz'))).toBe(false);
  });

  test('because tables and columns were added by hand, which a restore could not create', async () => {
    const { pool } = service.database;
    await pool.query(
      `create table flaghoist.report (id int); create table flaghoist_system."Own notes" (id int);
       alter table flaghoist.vessel add column colour text;
       alter table flaghoist_system.event add column reviewed_by text`,
    );
    const said = await refusal(['backup', join(folder, 'never.gz')], settings());
    await pool.query(
      `drop table flaghoist.report, flaghoist_system."Own notes"; alter table flaghoist.vessel drop column colour;
       alter table flaghoist_system.event drop column reviewed_by`,
    );
    expect(said).toContain(
      'Flaghoist has not created the table "flaghoist"."report", the column colour of "flaghoist"."vessel", the ' +
        'table "flaghoist_system"."Own notes", the column reviewed_by of "flaghoist_system"."event", so a backup',
    );
    expect(said).toContain('ALTER TABLE … SET SCHEMA …');
    expect(existsSync(join(folder, 'never.gz'))).toBe(false);
    await succeed(['backup', join(folder, 'again.gz')], settings());
  });
});

test.each([
  ['backup', 'A backup is not written to a terminal. Redirect it: flaghoist backup - > <file>'],
  ['restore', 'A backup is not read from a terminal. Redirect it: flaghoist restore - < <file>'],
])('%s refuses a terminal', async (command, reason) => {
  // `script` runs the command in a terminal of its own.
  const run = `"${process.execPath}" "${resolve(fileURLToPath(new URL('../../dist/main.js', import.meta.url)))}"`;
  const args = ['-qec', `${run} ${command} -`, '/dev/null'];
  const env = { PATH: process.env.PATH, ...settingsOf(target.url) };
  const { code, stdout } = await promisify(execFile)('script', args, { env, timeout: 30_000 }).catch((error) => error);
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining(reason) });
});

test('standard output and input work as files do', async () => {
  const child = spawnFlaghoist(['backup', '-', '--json'], settingsOf(service.database.url));
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout!) chunks.push(chunk);
  expect(gunzipSync(Buffer.concat(chunks)).subarray(0, 30).toString()).toBe('{"format":"flaghoist-backup","');
  const ending = await runFlaghoist(['backup', '-'], settingsOf(service.database.url));
  expect(ending).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Backed up [\d,]+ rows of \d+ tables/) });
});
