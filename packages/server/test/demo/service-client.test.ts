import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { ServiceClient } from '../../src/demo/service-client.ts';
import { OperatorError } from '../../src/errors.ts';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

test('a request that gets 503 is retried until the service is back, with the same idempotency key', async () => {
  const keys: unknown[] = [];
  const baseUrl = await serve((request, response) => {
    keys.push(request.headers['idempotency-key']);
    answer(response, keys.length < 3 ? 503 : 201, { key: 5 });
  });
  const { client, lines } = connect(baseUrl);
  expect(await client.create('Vessel', { vesselName: 'Tideway' })).toEqual({ kind: 'done', object: { key: 5 } });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(lines).toEqual([
    'The service is unavailable (status 503); retrying until it is back.',
    'The service is back.',
  ]);
});

test('Retry-After is waited for', async () => {
  let requests = 0;
  const baseUrl = await serve((_request, response) => {
    requests += 1;
    answer(response.setHeader('Retry-After', '0'), requests === 1 ? 429 : 200, []);
  });
  // Without the header the first wait would outlast the test.
  const { client } = connect(baseUrl, { retryMs: 3_600_000 });
  expect(await client.list('Vessel')).toEqual([]);
  expect(requests).toBe(2);
});

test('a service that rejects connections is waited for', async () => {
  const port = await freePort();
  const { client, lines } = connect(`http://127.0.0.1:${port}`, {
    onPrint: () => void (server ?? serve((_request, response) => answer(response, 200, [{ key: 1 }]), port)),
  });
  expect(await client.list('Vessel')).toEqual([{ key: 1 }]);
  expect(lines[0]).toBe('The service is unavailable (no connection); retrying until it is back.');
});

test.each([400, 404, 409, 412, 500])('a %i is a value that says why, never an exception', async (status) => {
  const baseUrl = await serve((_request, response) =>
    answer(response, status, { message: 'No.', violations: [{ path: 'eta', message: 'is not a date.' }] }),
  );
  const { client, lines } = connect(baseUrl);
  expect(await client.change('PortCall', 7, {})).toEqual({
    kind: 'rejected',
    status,
    reason: 'No. eta is not a date.',
  });
  expect(await client.list('PortCall')).toEqual([]);
  expect(lines).toEqual(['PortCall could not be listed: No. eta is not a date.']);
});

test('filters, sort and field selection reach the service as they were meant', async () => {
  let target: URL | undefined;
  const baseUrl = await serve((request, response) => {
    target = new URL(request.url ?? '', 'http://service');
    answer(response, 200, []);
  });
  const filter = ['externalObjectKey(LIKE)demo-%', 'vessel.vesselName(EQ)"Ebb & Flow"'];
  await connect(baseUrl).client.list('Voyage', { filter, sort: 'key(DS)', limit: 1, fields: { vessel: '*' } });
  expect(target?.pathname).toBe('/ws/rest/Voyage');
  expect(target?.searchParams.getAll('filter')).toEqual(filter);
  expect(target?.searchParams.get('sort')).toBe('key(DS)');
  expect(target?.searchParams.get('limit')).toBe('1');
  expect(JSON.parse(target?.searchParams.get('fields') ?? '')).toEqual({ vessel: '*' });
});

test('waiting for an absent service ends when the signal aborts', async () => {
  const stop = new AbortController();
  const { client } = connect(`http://127.0.0.1:${await freePort()}`, { stop, onPrint: () => stop.abort() });
  await expect(client.list('Vessel')).rejects.toThrow('abort');
});

describe('tokens', () => {
  test('are asked for with the id and secret of the client, and used for all requests', async () => {
    const asked: URLSearchParams[] = [];
    const carried: unknown[] = [];
    const baseUrl = await serve(
      (request, response) => {
        carried.push(request.headers.authorization);
        answer(response, 200, []);
      },
      0,
      async (request, response) => {
        asked.push(new URLSearchParams(await text(request)));
        giveAnyToken(request, response);
      },
    );
    const { client } = connect(baseUrl);
    await client.list('Vessel');
    await client.list('Vessel');
    expect(asked.map((parameters) => Object.fromEntries(parameters))).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'demo',
        client_secret: 'a secret & more',
        audience: 'https://flaghoist.dev',
      },
    ]);
    expect(carried).toEqual(['Bearer a-token', 'Bearer a-token']);
  });

  test('are renewed before they expire', async () => {
    const { baseUrl, carried } = await serveNumbered({ lifetimes: [0, 3600] });
    const { client } = connect(baseUrl);
    for (let round = 0; round < 3; round += 1) await client.list('Vessel');
    expect(carried).toEqual(['Bearer 1', 'Bearer 2', 'Bearer 2']);
  });

  test('that are rejected are replaced once, and the request is repeated with the same idempotency key', async () => {
    const { baseUrl, carried, keys } = await serveNumbered({ refused: ['Bearer 1'] });
    const { client } = connect(baseUrl);
    expect(await client.create('Vessel', {})).toEqual({ kind: 'done', object: [] });
    expect(carried).toEqual(['Bearer 1', 'Bearer 2']);
    expect(new Set(keys).size).toBe(1);
  });

  test('that are rejected again are reported, not retried without end', async () => {
    const { baseUrl, carried } = await serveNumbered({ refused: ['Bearer 1', 'Bearer 2'] });
    expect(await connect(baseUrl).client.create('Vessel', {})).toMatchObject({ kind: 'rejected', status: 401 });
    expect(carried).toHaveLength(2);
  });

  test('are waited for while there are none to be had', async () => {
    let asked = 0;
    const baseUrl = await serve(
      (_request, response) => answer(response, 200, [{ key: 1 }]),
      0,
      (request, response) => {
        asked += 1;
        if (asked > 2) giveAnyToken(request, response);
        else answer(response, asked === 1 ? 503 : 429, { error: 'temporarily_unavailable' });
      },
    );
    const { client, lines } = connect(baseUrl);
    expect(await client.list('Vessel')).toEqual([{ key: 1 }]);
    expect(lines).toEqual([
      'The service is unavailable (status 503); retrying until it is back.',
      'The service is back.',
    ]);
  });

  test.each([
    [401, { error: 'invalid_client', error_description: 'Unknown.' }, /client demo no token: Unknown\. Is it a client/],
    [403, { error: 'access_denied', error_description: 'Denied.' }, /no token: Denied\. Set FLAGHOIST_ENVIRONMENT/],
    [404, { statusCode: 404 }, /takes those of an external issuer/],
    [400, { error: 'invalid_request', error_description: 'Bad.' }, /no token: Bad\.$/],
  ])('that are rejected with %i end the demo with a message that never has the secret', async (status, body, words) => {
    const baseUrl = await serve(
      () => undefined,
      0,
      (_request, response) => answer(response, status, body),
    );
    const ending = connect(baseUrl).client.list('Vessel');
    await expect(ending).rejects.toThrow(OperatorError);
    await expect(ending).rejects.toThrow(words);
    await expect(ending).rejects.not.toThrow('a secret');
  });
});

/** Gives the tokens 1, 2, 3, …, and answers 401 to those that are refused. */
async function serveNumbered({ lifetimes = [3600], refused = [] }: { lifetimes?: number[]; refused?: string[] }) {
  const [carried, keys]: [string[], unknown[]] = [[], []];
  let given = 0;
  const baseUrl = await serve(
    ({ headers }, response) => {
      carried.push(headers.authorization ?? '');
      keys.push(headers['idempotency-key']);
      answer(response, refused.includes(headers.authorization ?? '') ? 401 : 200, []);
    },
    0,
    (_request, response) => {
      given += 1;
      answer(response, 200, { access_token: String(given), expires_in: lifetimes[given - 1] ?? 3600 });
    },
  );
  return { baseUrl, carried, keys };
}

interface ConnectOptions {
  stop?: AbortController;
  onPrint?: () => void;
  retryMs?: number;
}

function connect(baseUrl: string, { stop = new AbortController(), onPrint, retryMs = 1 }: ConnectOptions = {}) {
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    onPrint?.();
  };
  const credentials = { clientId: 'demo', clientSecret: 'a secret & more', audience: 'https://flaghoist.dev' };
  return { client: new ServiceClient({ baseUrl, credentials, signal: stop.signal, print, retryMs }), lines };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Tokens are given to everybody, unless the test has a say in it. */
async function serve(handler: Handler, port = 0, giveToken: Handler = giveAnyToken): Promise<string> {
  const opened = createServer((request, response) =>
    request.url === '/oauth/token' ? giveToken(request, response) : handler(request, response),
  );
  server = opened;
  await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
}

const giveAnyToken: Handler = (_request, response) =>
  answer(response, 200, { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 });

async function freePort(): Promise<number> {
  const { port } = new URL(await serve(() => undefined));
  const opened = server;
  await new Promise((resolve) => opened?.close(resolve));
  server = undefined;
  return Number(port);
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
