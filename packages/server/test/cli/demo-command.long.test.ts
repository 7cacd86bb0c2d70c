// `flaghoist demo`, run as a program beside a service, and without one.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../src/config/load-settings.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { runFlaghoist } from '../support/run-compiled.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { RunningProgram, servedUrl } from './running-program.ts';

const database = useTestDatabase();
const running: RunningProgram[] = [];
let folder: string;
let url: string;
let service: RunningProgram;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flaghoist-demo-'));
  service = new RunningProgram(['serve'], {
    DATABASE_URL: database.url,
    FLAGHOIST_PORT: '0',
    ...administratorSettings,
  });
  url = await servedUrl(service);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.end()));
});
afterAll(async () => {
  await service?.end();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

/** As in the other terminal, where the service's settings are known. */
function beside(): Environment {
  return { DATABASE_URL: database.url, FLAGHOIST_BASE_URL: url, ...administratorSettings };
}

function demo(environment: Environment, ...args: string[]): RunningProgram {
  const program = new RunningProgram(['demo', '--every', '0', ...args], environment);
  running.push(program);
  return program;
}

const fleet = /The fleet is at sea: 8 vessels, 10 voyages, 12 partners\.\n.*\n.*\n/;

describe('beside a running service', () => {
  test('it makes a client for itself, with scope write and no more, and changes things as its user', async () => {
    await demo(beside()).sees(fleet);
    const token = await fetchToken(url, administrator);
    const read = async (path: string) => {
      const response = await fetch(`${url}/ws/rest/${path}`, { headers: { authorization: `Bearer ${token}` } });
      return (await response.json()) as Record<string, unknown>[];
    };
    const [user] = await read('ApiUser?filter=userCode(EQ)demo');
    expect(await read('ApiClient?filter=clientId(EQ)demo')).toEqual([
      expect.objectContaining({ scopes: ['write'], user: expect.objectContaining({ key: user?.key }) }),
    ]);
    const vessels = await read('Vessel');
    expect(new Set(vessels.map(({ createdById }) => createdById))).toEqual(new Set([user?.key]));
  });

  /** Of the demo's client, as it is stored. */
  const secret = async () =>
    (await database.pool.query(`select secret_hash from flaghoist_service.api_client where client_id = 'demo'`)).rows;

  test('started again, it gets a new secret and goes on with the same fleet', async () => {
    const before = await secret();
    await demo(beside()).sees(fleet);
    expect(await secret()).not.toEqual(before);
    expect(before).toHaveLength(1);
  });

  test('it touches nothing before the service is ready: the first client is for the service to make', async () => {
    const before = await secret();
    let [isReady, questions] = [false, 0];
    const starting = createServer(async (request, response) => {
      if (request.url === '/health/ready') questions += 1;
      if (!isReady) return response.writeHead(request.url === '/health/live' ? 200 : 503).end();
      const { method, headers } = request;
      const body = method === 'GET' ? null : await buffer(request);
      const answer = await fetch(`${url}${request.url}`, { method, headers: pick(headers), body } as RequestInit);
      return response.writeHead(answer.status).end(await answer.text());
    });
    await new Promise<void>((resolve) => starting.listen(0, '127.0.0.1', resolve));
    const { port } = starting.address() as AddressInfo;
    const program = demo({ ...beside(), FLAGHOIST_BASE_URL: `http://127.0.0.1:${port}` });
    await expect.poll(() => questions, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(await secret()).toEqual(before);
    isReady = true;
    await program.sees(fleet);
    await program.end();
    starting.close();
  });

  test('it neither takes nor changes a client of that name that is not its own', async () => {
    await runFlaghoist(['user', 'create', 'somebody', '--name', 'Somebody'], beside());
    const move = (userCode: string) =>
      database.pool.query(
        'update flaghoist_service.api_client set "user" = (select key from flaghoist_service.api_user where ' +
          "user_code = $1) where client_id = 'demo' returning secret_hash",
        [userCode],
      );
    const { rows } = await move('somebody');
    expect(await refusal(beside())).toMatch(/The client "demo" acts as somebody and is not the demo's/);
    expect((await move('demo')).rows).toEqual(rows);
  });

  test('it says so when its client is disabled', async () => {
    await runFlaghoist(['client', 'disable', 'demo'], beside());
    expect(await refusal(beside())).toContain('"flaghoist client enable demo" enables it again');
    await runFlaghoist(['client', 'enable', 'demo'], beside());
  });

  test('it says so when it does not find the database of the service, and makes none', async () => {
    const dataDir = join(folder, 'not-there');
    expect(await refusal({ FLAGHOIST_BASE_URL: url, FLAGHOIST_DATA_DIR: dataDir })).toContain(
      `does not use the data folder ${dataDir}`,
    );
    await expect(rm(dataDir, { recursive: true })).rejects.toThrow('ENOENT');
  });
});

describe('with a client that is given', () => {
  const elsewhere = (clientSecret?: string) => ({
    FLAGHOIST_BASE_URL: url,
    FLAGHOIST_DATA_DIR: join(folder, 'none'),
    FLAGHOIST_DEMO_CLIENT_SECRET: clientSecret,
  });

  test('it needs no database', async () => {
    const program = demo(elsewhere(administrator.clientSecret), '--client-id', administrator.clientId);
    await program.sees(fleet);
    expect(program.printed).not.toContain(administrator.clientSecret);
  });

  test.each([
    ['without its secret', undefined, 'Set FLAGHOIST_DEMO_CLIENT_SECRET'],
    ['with a wrong one', 'wrong-secret', 'gives the client test-administrator no token: The client is unknown, or its'],
  ])('%s it says so', async (_, secret, words) => {
    const said = await refusal(elsewhere(secret), '--client-id', administrator.clientId);
    expect(said).toContain(words);
    expect(said).not.toContain('wrong-secret');
  });

  test('without a running service it reports that, and starts none', async () => {
    const environment = { ...elsewhere('secret'), FLAGHOIST_BASE_URL: 'http://127.0.0.1:1' };
    expect(await refusal(environment, '--client-id', 'abc')).toContain('No service responds at http://127.0.0.1:1.');
  });

  test('where tokens come from an external issuer it says that it cannot', async () => {
    const foreign = createServer((request, response) =>
      request.url?.startsWith('/health') ? response.end('{}') : response.writeHead(404).end('{"statusCode":404}'),
    );
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    const environment = { ...elsewhere('secret'), FLAGHOIST_BASE_URL: address };
    expect(await refusal(environment, '--client-id', 'abc')).toContain('takes those of an external issuer');
    foreign.close();
    expect(await refusal({ FLAGHOIST_ISSUER_URL: 'https://issuer.example' })).toContain('The demo cannot run here');
  });
});

test('where no service runs it starts one of its own, and shows the secret of the first client there', async () => {
  const dataDir = join(folder, 'own');
  const program = demo({ FLAGHOIST_DATA_DIR: dataDir, FLAGHOIST_PORT: '0' });
  await program.sees(
    /Client id +admin-\S+\n +Secret +fhs_\S+\n[\s\S]*in a service of its own[\s\S]*The fleet is at sea/,
  );
  await program.end();
});

/** What the service has to see of a request that is passed on. */
function pick(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['authorization', 'content-type', 'idempotency-key'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

async function refusal(environment: Environment, ...args: string[]): Promise<string> {
  const { code, stderr } = await runFlaghoist(['demo', ...args], environment);
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}
