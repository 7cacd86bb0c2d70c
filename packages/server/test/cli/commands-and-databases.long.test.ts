// What the commands do about the state of a database, and about keys.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { administratorSettings } from '../support/access.ts';
import { type Ending, runFlaghoist } from '../support/run-compiled.ts';
import { useTestDatabase } from '../support/test-database.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flaghoist-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Commands that have nothing to do where there is no installation. */
const commandsOnExisting = [
  ['user', 'list'],
  ['client', 'list', '--json'],
  ['key', 'list'],
  ['client', 'create', '--user', 'someone', '--scope', 'read'],
  ['client', 'disable', 'someone'],
  ['key', 'rotate'],
];

describe('a data folder without a database', () => {
  test.each(commandsOnExisting)('%s %s says so and creates nothing', async (...args) => {
    for (const dataDir of [join(folder, 'missing'), await mkdtemp(join(folder, 'empty-'))]) {
      const ending = await runFlaghoist(args, { FLAGHOIST_DATA_DIR: dataDir });
      expect(ending).toMatchObject({ code: 1, stdout: '' });
      expect(ending.stderr).toContain(`There is no database in the data folder ${dataDir}.`);
      expect(ending.stderr).toMatch(/FLAGHOIST_DATA_DIR sets the data folder\. DATABASE_URL names a separate/);
      expect(await readdir(dataDir).catch(() => [])).toEqual([]);
    }
    expect(await readdir(folder)).not.toContain('missing');
  });
});

describe('a database without tables of Flaghoist', () => {
  const database = useTestDatabase({ isMigrated: false });

  test.each(commandsOnExisting)('%s %s says so and creates nothing', async (...args) => {
    const ending = await runFlaghoist(args, { DATABASE_URL: database.url, ...administratorSettings });
    expect(ending).toMatchObject({ code: 1, stdout: '' });
    expect(ending.stderr).toContain('The database has no tables of Flaghoist. Set FLAGHOIST_DATA_DIR or DATABASE_URL');
    const { rows } = await database.pool.query("select nspname from pg_namespace where nspname like 'flaghoist%'");
    expect(rows).toEqual([]);
  });
});

describe('an empty database', () => {
  const database = useTestDatabase({ isMigrated: false });
  const environment = { DATABASE_URL: database.url, ...administratorSettings };

  test('is migrated before anything is done, and the output is still JSON alone', async () => {
    const made = await runFlaghoist(['user', 'create', 'first', '--name', 'First', '--json'], environment);
    expect(JSON.parse(made.stdout)).toMatchObject({ userCode: 'first' });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('database.migrated') });
  });

  test('of a newer version is left alone', async () => {
    await database.pool.query(`insert into flaghoist_system.migration (name, digest) values ('9999-later.sql', 'x')`);
    const { code, stderr } = await runFlaghoist(['user', 'list'], environment);
    expect(code).toBe(1);
    expect(stderr).toContain('was migrated by a newer version of Flaghoist (9999-later.sql)');
    await database.pool.query(`delete from flaghoist_system.migration where name = '9999-later.sql'`);
  });

  test('with a model of its own is left unchanged by a command without it, and the error says what to do', async () => {
    const modelFile = join(folder, 'model.json');
    await writeFile(modelFile, JSON.stringify({ types: { Berth: { attributes: { berthName: { kind: 'text' } } } } }));
    const list = ['user', 'list', '--json'];
    const withModel = { ...environment, FLAGHOIST_MODEL_FILE: modelFile };
    // A service may be using the tables as they are: only `migrate`, and a service that starts, change them.
    const refused = await runFlaghoist(list, withModel);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const { message } = JSON.parse(refused.stderr).error;
    expect(message).toMatch(/To change it, run `flaghoist migrate`:\n- create table flaghoist\."berth"/);
    expect(await runFlaghoist(['migrate'], withModel)).toMatchObject({ code: 0 });
    expect(await runFlaghoist(list, withModel)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await runFlaghoist(list, environment);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'If the service runs with FLAGHOIST_MODEL_FILE, set it to the same file for this command.',
    );
  });

  test('with another encryption key is left alone', async () => {
    const other = {
      ...environment,
      FLAGHOIST_MODEL_FILE: join(folder, 'model.json'),
      FLAGHOIST_ENCRYPTION_KEY: 'A'.repeat(43),
    };
    const create = ['client', 'create', '--user', 'first', '--scope', 'read'];
    await runFlaghoist(create, { ...other, FLAGHOIST_ENCRYPTION_KEY: administratorSettings.FLAGHOIST_ENCRYPTION_KEY });
    const { code, stderr } = await runFlaghoist(create, other);
    expect(code).toBe(1);
    expect(stderr).toContain('FLAGHOIST_ENCRYPTION_KEY is not the key that this database was set up with.');
  });
});

describe('a database that was migrated and never served, in a shell without its encryption key', () => {
  const database = useTestDatabase();

  /** And makes sure that nothing binds the database to a key. */
  async function runElsewhere(args: string[]): Promise<Ending> {
    const ending = await runFlaghoist(args, {
      DATABASE_URL: database.url,
      FLAGHOIST_DATA_DIR: join(folder, 'elsewhere'),
    });
    expect(await readdir(folder)).not.toContain('elsewhere');
    const { rows } = await database.pool.query('select proof from flaghoist_system.encryption_check');
    expect(rows).toEqual([]);
    return ending;
  }

  test.each([
    ['user', 'create', 'first', '--name', 'First'],
    ['user', 'disable', 'first'],
    ['user', 'list'],
    ['client', 'list'],
    ['key', 'list'],
  ])('%s %s needs no key, and makes none', async (...args) => {
    expect(await runElsewhere(args)).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['client', 'create', '--user', 'first', '--scope', 'read'],
    ['client', 'rotate', 'someone'],
    ['key', 'rotate'],
  ])('%s %s needs the key of the service, and makes none', async (...args) => {
    const ending = await runElsewhere(args);
    expect(ending).toMatchObject({ code: 1, stdout: '' });
    expect(ending.stderr).toContain(`there is no file ${join(folder, 'elsewhere', 'encryption-key')}.`);
  });
});

describe('signing keys', () => {
  const database = useTestDatabase();
  const environment = { DATABASE_URL: database.url, ...administratorSettings };
  const run = (...args: string[]) => runFlaghoist(['key', ...args], environment);

  test('there are none before the service has run', async () => {
    expect((await run('list')).stdout).toContain('There are no keys yet');
    expect((await run('list', '--json')).stdout).toBe('[]\n');
  });

  test('one that is replaced stays for the tokens that it has signed, however long they live', async () => {
    const first = JSON.parse((await run('rotate', '--json')).stdout).kid;
    expect((await run('rotate')).stdout).toMatch(/^Key \S+ signs tokens in a few seconds\./);
    const keys = JSON.parse((await run('list', '--json')).stdout);
    expect(keys).toEqual([
      { kid: first, createdDate: date, signsFromDate: date, verifiesUntilDate: date },
      { kid: expect.any(String), createdDate: date, signsFromDate: date, verifiesUntilDate: null },
    ]);
    const keptMs = Date.parse(`${keys[0].verifiesUntilDate}Z`) - Date.parse(`${keys[1].createdDate}Z`);
    expect(keptMs).toBeGreaterThan(30 * 86_400_000);
    const [head, ...lines] = (await run('list')).stdout.trimEnd().split('\n');
    expect(head).toMatch(/^kid +created +signs from +verifies until$/);
    expect(lines.map((line) => line.endsWith('  it is replaced'))).toEqual([false, true]);
  });

  test('the private half is never shown, and each rotation is in the audit log', async () => {
    const shown = (await run('list')).stdout + (await run('list', '--json')).stdout;
    const { rows } = await database.pool.query('select private_jwk from flaghoist_system.signing_key');
    for (const { private_jwk } of rows) expect(shown).not.toContain(private_jwk);
    const audit = await database.pool.query(
      `select client_id from flaghoist_service.audit_log where action = 'ROTATE_KEY' order by key`,
    );
    expect(audit.rows).toEqual([{ client_id: 'command line' }, { client_id: 'command line' }]);
  });

  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
});

test('a database that cannot be used is reported without its password', async () => {
  const url = new URL(inject('serverUrl'));
  url.pathname = '/no_such_database';
  url.password ||= 'planted-password';
  const { code, stderr } = await runFlaghoist(['user', 'list'], { DATABASE_URL: url.href });
  expect(code).toBe(1);
  expect(stderr).toMatch(/The PostgreSQL server cannot be used: .*"no_such_database".* Check DATABASE_URL\./);
  expect(stderr).not.toContain(url.password);
});
