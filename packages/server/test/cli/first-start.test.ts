// The output of the first start, and the commands beside a service on the embedded database: access can always be
// restored, and a generated secret is shown once and never logged.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useCli } from '../../../cli/test/support/cli.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { findEmbedded } from '../../src/database/embedded-server.ts';
import { testAudience } from '../support/access.ts';
import { type Ending, runFlaghoist } from '../support/run-compiled.ts';
import { RunningProgram, servedUrl } from './running-program.ts';

let dataDir: string;
const running: RunningProgram[] = [];
const patience = { timeout: 10_000, interval: 50 };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'flaghoist first start '));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

function environment() {
  return { FLAGHOIST_DATA_DIR: dataDir, FLAGHOIST_PORT: '0', FLAGHOIST_LOG_LEVEL: 'debug' };
}

async function serve(settings = {}): Promise<{ program: RunningProgram; url: string }> {
  const program = new RunningProgram(['serve'], { ...environment(), ...settings });
  running.push(program);
  return { program, url: await servedUrl(program) };
}

async function endAll(): Promise<void> {
  await Promise.all(running.splice(0).map((program) => program.end()));
}

/** As a program. */
function run(...args: string[]): Promise<Ending> {
  return runFlaghoist(args, { ...environment(), FLAGHOIST_LOG_LEVEL: 'warn' });
}

/** In this process, which takes a tenth of the time. The service is another one. */
const cli = useCli(() => 'http://127.0.0.1:9', {
  program: { path: 'packages/server/dist/main.js', execute: runCommandLine },
  environment: () => ({ ...environment(), FLAGHOIST_LOG_LEVEL: 'warn' }),
});
const command = (...args: string[]) => cli.run(args);

async function askToken(
  url: string,
  clientId: string,
  clientSecret: string,
): Promise<{ status: number; token: string }> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    audience: testAudience,
    client_id: clientId,
    client_secret: clientSecret,
  });
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body });
  return { status: response.status, token: ((await response.json()) as { access_token: string }).access_token };
}

async function signIn(url: string, code: string): Promise<unknown> {
  const response = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'flaghoist-console': '1' },
    body: JSON.stringify({ code }),
  });
  return response.json();
}

function get(url: string, token: string): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${token}` } });
}

describe('an empty data folder', () => {
  let clientId: string;
  let secret: string;

  test('lets several commands work at once before the service has ever run, and leaves no server behind', async () => {
    const made = await Promise.all(['one', 'two'].map((code) => run('user', 'create', code, '--name', code)));
    const listed = await Promise.all([run('user', 'list'), run('client', 'list'), run('key', 'list', '--json')]);
    expect([...made, ...listed].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(listed[1]?.stdout).toContain('There are no clients yet.');
    expect(await findEmbedded(dataDir)).toBeUndefined();
  });

  test('gets its encryption key from the first command that needs one, or from the service', async () => {
    expect(await readdir(dataDir)).not.toContain('encryption-key');
    expect(await run('key', 'rotate')).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(dataDir)).toContain('encryption-key');
  });

  describe('at the first start', () => {
    let program: RunningProgram;
    let url: string;
    beforeAll(async () => {
      ({ program, url } = await serve());
    });
    afterAll(endAll);

    test('gets a first client and a link to the console, each once on standard output and not in the log', async () => {
      const [, code = ''] = await program.sees(/works once, within 10 minutes:\n\n\S+\/console#code=(fhl_\S+)\n/);
      expect(await signIn(url, code)).toMatchObject({ user: { userCode: 'admin' }, client: 'console admin' });
      [, clientId = '', secret = ''] = await program.sees(/Client id +(admin-\S+)\n +Secret +(fhs_\S+)\n/);
      expect(program.printed).toMatch(/SHOWN ONCE/);
      const logLines = program.printed.split('\n').filter((line) => line.startsWith('{'));
      expect(logLines.some((line) => line.includes('client.bootstrapped'))).toBe(true);
      expect(logLines.filter((line) => line.includes(secret) || line.includes(code))).toEqual([]);
    });

    test('prints what gets a token and uses it, with nothing but a POSIX shell, curl and sed', async ({ skip }) => {
      if (!(await hasCurl())) skip('there is no curl here');
      expect(await paste(welcomeOf(program))).toMatch(/^\[\{"key":.*"portName":"Amsterdam"/);
    });

    test('prints the secret no more until it has ended', async () => {
      await program.end();
      expect(program.printed.slice(program.printed.indexOf('Authorization: Bearer'))).not.toContain(secret);
    });
  });

  describe('at the next start', () => {
    let program: RunningProgram;
    let url: string;
    beforeAll(async () => {
      ({ program, url } = await serve());
    });
    afterAll(endAll);

    const statusOf = async (token: string) => (await get(`${url}/ws/rest/ApiUser`, token)).status;

    test('gets no other client, but instructions to make one', async () => {
      expect(program.printed).not.toMatch(/fhs_|fhl_|SHOWN ONCE/);
      expect(program.printed).toContain('npx flaghoist console-link\n');
      expect(program.printed).toContain('npx flaghoist client create --user admin --scope write');
      expect((await askToken(url, clientId, secret)).status).toBe(200);
    });

    test('is opened in the console by a command, while the service runs', async () => {
      const made = JSON.parse((await command('console-link', '--json')).stdout);
      expect(await signIn(url, made.url.split('#code=')[1])).toMatchObject({ user: { userCode: 'admin' } });
    });

    test('restores access after all secrets are lost, while the service runs', async () => {
      const rotated = JSON.parse((await run('client', 'rotate', clientId, '--grace', '0', '--json')).stdout);
      await expect.poll(async () => (await askToken(url, clientId, rotated.clientSecret)).status, patience).toBe(200);
      expect((await askToken(url, clientId, secret)).status).toBe(401);
      secret = rotated.clientSecret;
    });

    test('rejects every token of a key that has leaked, and issues valid ones again', async () => {
      const { token } = await askToken(url, clientId, secret);
      expect(await statusOf(token)).toBe(200);
      expect((await command('key', 'rotate', '--distrust-old')).stdout).toMatch(
        /Every token that was issued before is rejected/,
      );
      await expect.poll(() => statusOf(token), patience).toBe(401);
      expect(await statusOf((await askToken(url, clientId, secret)).token)).toBe(200);
      expect(JSON.parse((await command('key', 'list', '--json')).stdout)).toHaveLength(1);
    });

    test('rejects a client that is disabled by a command, and accepts it when it is enabled again', async () => {
      const { token } = await askToken(url, clientId, secret);
      const status = () => statusOf(token);
      expect(await status()).toBe(200);
      expect(await command('client', 'disable', clientId)).toMatchObject({ code: 0 });
      await expect.poll(status, patience).toBe(401);
      expect(await command('client', 'enable', clientId)).toMatchObject({ code: 0 });
      await expect.poll(status, patience).toBe(200);
      expect(await command('user', 'disable', 'admin')).toMatchObject({ code: 0 });
      await expect.poll(status, patience).toBe(401);
      expect(await command('user', 'enable', 'admin')).toMatchObject({ code: 0 });
      await expect.poll(status, patience).toBe(200);
    });
  });

  test('serves commands that come while the service starts and stops, and after it was killed', async () => {
    const program = new RunningProgram(['serve'], environment());
    running.push(program);
    const early = run('user', 'list');
    await servedUrl(program);
    expect(await early).toMatchObject({ code: 0, stdout: expect.stringContaining('admin') });
    const ended = program.end('SIGKILL');
    expect(await run('user', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('admin') });
    await ended;
  });
});

describe('what is printed to be pasted into a shell', () => {
  afterEach(endAll);

  test('works for an id and a secret that are given and full of what a shell and a form would change', async ({
    skip,
  }) => {
    if (!(await hasCurl())) skip('there is no curl here');
    const folder = await mkdtemp(join(tmpdir(), 'flaghoist-paste-'));
    const given = {
      FLAGHOIST_BOOTSTRAP_CLIENT_ID: `it's-$HOME&client_id=%41+\`id\``,
      FLAGHOIST_BOOTSTRAP_CLIENT_SECRET: `$HOME%41+&'"planted-secret-of-32-characters`,
    };
    const { program } = await serve({ FLAGHOIST_DATA_DIR: folder, ...given });
    try {
      expect(await paste(program.printed, given)).toMatch(/^\[\{"key":.*"portName":"Amsterdam"/);
      expect(program.printed).not.toContain('planted-secret');
    } finally {
      await program.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
  });
});

/** Without the log lines that came since. */
function welcomeOf({ printed }: RunningProgram): string {
  return printed
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');
}

async function paste(printed: string, variables = {}): Promise<string> {
  const script = printed.slice(printed.indexOf('TOKEN='));
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    env: { PATH: process.env.PATH, HOME: '/nowhere', ...variables },
  });
  return stdout;
}

async function hasCurl(): Promise<boolean> {
  return promisify(execFile)('curl', ['--version']).then(
    () => true,
    () => false,
  );
}
