// `flaghoist user` and `flaghoist client`, on a database of their own. They run in this process: a program of its own
// takes ten times as long. The first command of all is run as a program.

import { beforeAll, describe, expect, test } from 'vitest';
import { useCli } from '../../../cli/test/support/cli.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Environment } from '../../src/config/load-settings.ts';
import { administratorSettings } from '../support/access.ts';
import { type Ending, runFlaghoist } from '../support/run-compiled.ts';
import { useTestDatabase } from '../support/test-database.ts';

const database = useTestDatabase();
const settings = { DATABASE_URL: database.url, ...administratorSettings };
const cli = useCli(() => 'http://127.0.0.1:9', {
  program: { path: 'packages/server/dist/main.js', execute: runCommandLine },
  environment: () => settings,
});

function run(args: string[], environment: Environment = {}): Promise<Ending> {
  return cli.run(args, environment);
}

/** Of a command that must succeed. */
async function answer(args: string[], environment: Environment = {}): Promise<string> {
  const { code, stdout, stderr } = await run(args, environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
async function json(args: string[], environment: Environment = {}): Promise<any> {
  return JSON.parse(await answer([...args, '--json'], environment));
}

/**
 * Of a command that must be refused: what it says, without a stack and with nothing on the standard output. 2: it was
 * used wrongly.
 */
async function refusal(args: string[], environment: Environment = {}, expected: 1 | 2 = 1): Promise<string> {
  const { code, stdout, stderr } = await run(args, environment);
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr.trim();
}

async function count(table: string): Promise<number> {
  return (await database.pool.query(`select count(*)::int from flaghoist_service.${table}`)).rows[0].count;
}

beforeAll(async () => {
  const { code, stderr } = await runFlaghoist(['user', 'create', 'agent', '--name', 'Agent in Rotterdam'], settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

describe('users', () => {
  test('a new one has what the options say, and the defaults of REST for the rest', async () => {
    const options = ['--name', 'Ops', '--email', 'ops@agent.example', '--edition', 'STANDARD', '--api-version', '5.23'];
    expect(await json(['user', 'create', 'ops', ...options])).toMatchObject({
      userCode: 'ops',
      name: 'Ops',
      email: 'ops@agent.example',
      edition: 'STANDARD',
      apiVersion: '5.23',
      active: true,
    });
    const users = await json(['user', 'list']);
    expect(users.map(({ userCode }: { userCode: string }) => userCode)).toEqual(['agent', 'ops']);
    expect(users[0]).toMatchObject({ edition: 'ENTERPRISE', apiVersion: null, email: null, active: true });
  });

  test('the list for people is a table with aligned columns', async () => {
    const lines = (await answer(['user', 'list'])).trimEnd().split('\n');
    expect(lines).toEqual([
      'userCode  name                email              edition     apiVersion  active',
      'agent     Agent in Rotterdam  -                  ENTERPRISE  newest      yes',
      'ops       Ops                 ops@agent.example  STANDARD    5.23        yes',
    ]);
  });

  test('every mistake is reported on its own line with its path, and nothing is created', async () => {
    const before = await count('api_user');
    const options = ['--name', 'x'.repeat(129), '--email', 'nowhere', '--edition', 'GOLD', '--api-version', '99.1'];
    const [heading, ...mistakes] = (await refusal(['user', 'create', 'bad', ...options])).split('\n');
    expect(heading).toBe('Nothing was done.');
    expect(mistakes.map((line) => /^- (\w+): \S/.exec(line)?.[1]).sort()).toEqual([
      'apiVersion',
      'edition',
      'email',
      'name',
    ]);
    expect(await count('api_user')).toBe(before);
  });

  test('a code is given once', async () => {
    expect(await refusal(['user', 'create', 'agent', '--name', 'Another'])).toMatch(/userCode: another ApiUser/);
  });

  test('what is missing is named', async () => {
    expect(await refusal(['user', 'create', '--name', 'Nobody'], {}, 2)).toMatch(
      /missing required argument 'userCode'/,
    );
    expect(await refusal(['user', 'create', 'nameless'], {}, 2)).toMatch(/'--name <name>' not specified/);
    expect(await refusal(['user', 'disable', 'no"b\\ody'])).toContain('There is no user "no"b\\ody".');
  });

  test('one that is disabled is so until it is enabled', async () => {
    expect(await answer(['user', 'disable', 'ops'])).toBe('User ops is disabled: its clients are rejected.\n');
    expect((await json(['user', 'list']))[1]).toMatchObject({ userCode: 'ops', active: false });
    expect(await json(['user', 'enable', 'ops'])).toMatchObject({ userCode: 'ops', active: true });
  });

  test('a name cannot drive the terminal that it is shown on', async () => {
    await database.pool.query(
      `insert into flaghoist_service.api_user (user_code, name) values ('evil', E'\\x1b[2J\\x1b]0;owned\\x07')`,
    );
    const list = await answer(['user', 'list']);
    expect(list).toContain('U+001B[2JU+001B]0;ownedU+0007');
    await database.pool.query(`delete from flaghoist_service.api_user where user_code = 'evil'`);
  });

  test('all of them are listed, however many there are', async () => {
    await database.pool.query(
      "insert into flaghoist_service.api_user (user_code, name) select 'many-' || n, 'Many' from " +
        'generate_series(1, 2001) n',
    );
    expect(await json(['user', 'list'])).toHaveLength(2003);
    await database.pool.query(`delete from flaghoist_service.api_user where user_code like 'many-%'`);
  });
});

describe('clients', () => {
  test('the secret is printed once, with the word that it is not shown again, and only its hash is kept', async () => {
    const made = await answer(['client', 'create', '--user', 'agent', '--scope', 'read', '--scope', 'webhook']);
    const clientId = /Client id +(\S+)/.exec(made)?.[1];
    const secret = /Secret +(fhs_\S{43})\n/.exec(made)?.[1];
    expect(made).toContain('not shown again');
    expect(await json(['client', 'list'])).toEqual([
      expect.objectContaining({
        clientId,
        user: expect.objectContaining({ userCode: 'agent' }),
        scopes: ['read', 'webhook'],
        audiences: ['https://flaghoist.dev'],
        active: true,
      }),
    ]);
    expect(await answer(['client', 'list'])).not.toContain(secret);
    const { rows } = await database.pool.query('select api_client::text from flaghoist_service.api_client');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('one that is asked for in JSON has id, scopes and audiences as given, and its secret', async () => {
    const options = ['--scope', 'read', 'write', '--client-id', 'planner', '--audience', 'https://flaghoist'];
    expect(await json(['client', 'create', '--user', 'agent', ...options])).toMatchObject({
      clientId: 'planner',
      scopes: ['read', 'write'],
      audiences: ['https://flaghoist'],
      clientSecret: expect.stringMatching(/^fhs_/),
    });
  });

  test('every mistake is reported on its own line with its path, and nothing is created', async () => {
    const before = await count('api_client');
    const options = ['--scope', 'reed', '--client-id', 'a b', '--audience', 'https://elsewhere'];
    const said = await refusal(['client', 'create', '--user', 'agent', ...options]);
    expect(said.split('\n').map((line) => /^- (\w+): /.exec(line)?.[1])).toEqual([
      undefined,
      'scopes',
      'clientId',
      'audiences',
    ]);
    expect(await refusal(['client', 'create', '--user', 'nobody', '--scope', 'read'])).toContain(
      'There is no user "nobody". "flaghoist user list" lists the users that exist.',
    );
    expect(await refusal(['client', 'create', '--user', 'agent'], {}, 2)).toMatch(/'--scope <scope...>' not specified/);
    expect(await count('api_client')).toBe(before);
  });

  test('a new secret leaves the one before its grace time', async () => {
    expect(await json(['client', 'rotate', 'planner', '--grace', '7d'])).toEqual({
      clientId: 'planner',
      clientSecret: expect.stringMatching(/^fhs_/),
      previousSecretExpiresDate: expect.any(String),
    });
    const { rows } = await database.pool.query(
      'select extract(epoch from previous_secret_expires_date - secret_date)::int as seconds from ' +
        "flaghoist_service.api_client where client_id = 'planner'",
    );
    expect(rows[0].seconds).toBe(604_800);
  });

  test('the text says until when the previous secret is accepted', async () => {
    expect(await answer(['client', 'rotate', 'planner'])).toMatch(
      /^Client planner has a new secret\. The previous secret is also accepted until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \(UTC\)\.\n\n {2}Secret +fhs_\S+\n\nIt is not shown again/,
    );
    expect(await answer(['client', 'rotate', 'planner', '--grace', '0'])).toMatch(/rejected from now on/);
  });

  test('a grace time that is none, or beyond 30 days, changes nothing', async () => {
    const secret = async () =>
      (await database.pool.query(`select secret_hash from flaghoist_service.api_client where client_id = 'planner'`))
        .rows[0];
    const before = await secret();
    expect(await refusal(['client', 'rotate', 'planner', '--grace', '31d'], {}, 2)).toContain(
      'Give a time from 0 to 30d',
    );
    expect(await refusal(['client', 'rotate', 'nobody'])).toContain('There is no client "nobody".');
    expect(await secret()).toEqual(before);
  });

  test('one that is disabled is so until it is enabled', async () => {
    expect(await answer(['client', 'disable', 'planner'])).toMatch(/^Client planner is disabled/);
    expect(await json(['client', 'enable', 'planner'])).toMatchObject({ clientId: 'planner', active: true });
  });

  test('everything that was done is in the audit log, done by the command line', async () => {
    const { rows } = await database.pool.query(
      'select action, user_code, client_id, changes from flaghoist_service.audit_log where object_name = ' +
        "'planner' order by key",
    );
    expect(new Set(rows.map(({ user_code, client_id }) => `${user_code} ${client_id}`))).toEqual(
      new Set(['null command line']),
    );
    expect(rows[0].action).toBe('CREATE');
    expect(rows.slice(-2).map(({ action, changes }) => [action, changes.active])).toEqual([
      ['CHANGE', [true, false]],
      ['CHANGE', [false, true]],
    ]);
  });
});

describe('with an external issuer', () => {
  const environment = { FLAGHOIST_ISSUER_URL: 'https://issuer.example/' };

  test('a client needs the id that it has there', async () => {
    expect(await refusal(['client', 'create', '--user', 'agent', '--scope', 'read'], environment)).toMatch(
      /Tokens come from https:\/\/issuer\.example\/ \(FLAGHOIST_ISSUER_URL\).*--client-id/,
    );
  });

  test('no secret is shown, but what to do', async () => {
    const create = ['client', 'create', '--user', 'agent', '--scope', 'read', '--client-id'];
    const said = await answer([...create, 'there-1'], environment);
    expect(said).not.toContain('fhs_');
    expect(said).toContain('come from https://issuer.example/: register it there under the same id');
    expect(await json([...create, 'there-2'], environment)).not.toHaveProperty('clientSecret');
  });

  test('secrets and keys are to be changed there', async () => {
    expect(await refusal(['client', 'rotate', 'there-1'], environment)).toContain('change the secret there');
    expect(await refusal(['key', 'rotate'], environment)).toContain('replace the key there');
  });
});
