import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connectToService } from '../../src/demo/service-client.ts';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

test('a service that answers 503 is asked again until it is back, with the same idempotency key', async () => {
  const keys: unknown[] = [];
  const baseUrl = await serve((request, response) => {
    keys.push(request.headers['idempotency-key']);
    answer(response, keys.length < 3 ? 503 : 201, { key: 5 });
  });
  const { client, lines } = connect(baseUrl);
  expect(await client.create('Vessel', { vesselName: 'Tideway' })).toEqual({ kind: 'done', object: { key: 5 } });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(lines).toEqual(['The service is away (status 503); trying again until it is back.', 'The service is back.']);
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

test('a service that refuses connections is waited for', async () => {
  const port = await freePort();
  const { client, lines } = connect(`http://127.0.0.1:${port}`, {
    onPrint: () => void (server ?? serve((_request, response) => answer(response, 200, [{ key: 1 }]), port)),
  });
  expect(await client.list('Vessel')).toEqual([{ key: 1 }]);
  expect(lines[0]).toBe('The service is away (no connection); trying again until it is back.');
});

test.each([400, 404, 409, 412, 500])('a %i is a value that says why, never an exception', async (status) => {
  const baseUrl = await serve((_request, response) =>
    answer(response, status, { message: 'No.', violations: [{ path: 'eta', message: 'is no date.' }] }),
  );
  const { client, lines } = connect(baseUrl);
  expect(await client.change('PortCall', 7, {})).toEqual({ kind: 'refused', status, reason: 'No. eta is no date.' });
  expect(await client.list('PortCall')).toEqual([]);
  expect(lines).toEqual(['PortCall could not be listed: No. eta is no date.']);
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
  return { client: connectToService({ baseUrl, signal: stop.signal, print, retryMs }), lines };
}

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void, port = 0): Promise<string> {
  const opened = createServer(handler);
  server = opened;
  await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
}

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
