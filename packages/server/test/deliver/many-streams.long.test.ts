// Many streams in one process: idle ones cost little, and dropped ones leave nothing behind.

import { get, type IncomingMessage } from 'node:http';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { expect, test } from 'vitest';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { countSockets, processorSeconds, residentMb } from './process-usage.ts';
import { openStream } from './stream-client.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const service = useTestService();
const { pool } = service.database;
const isLinux = platform() === 'linux';

async function startApi() {
  const port = await findFreePort();
  const api = await startWorker(service.database.url, {
    FLAGHOIST_ROLES: 'api',
    FLAGHOIST_PORT: String(port),
    FLAGHOIST_DATA_DIR: service.dataDir,
    FLAGHOIST_BASE_URL: service.url(),
    NODE_OPTIONS: `--require ${fileURLToPath(new URL('report-heap.cjs', import.meta.url))}`,
  });
  return { ...api, url: () => `http://127.0.0.1:${port}`, token: service.token };
}

async function subscribe(more: object = {}): Promise<number> {
  const body = { eventType: 'Vessel.U', channelInfo: { channelType: 'STREAM' }, ...more };
  const answer = await service.post('/ws/rest/WebhookSubscription', body);
  expect(answer.status, answer.text).toBe(201);
  service.secrets.plant('a signing secret', answer.body.signingSecret);
  return answer.body.key;
}

interface Place {
  url(): string;
  token(): string;
}

function connect({ url, token }: Place, key: number) {
  const request = get(`${url()}/ws/rest/WebhookSubscription/${key}/stream`, {
    headers: { authorization: `Bearer ${token()}` },
    agent: false,
  });
  return { request, answered: new Promise<IncomingMessage>((resolve) => request.on('response', resolve)) };
}

/** Runs the work this many times, so many at a time. */
async function repeat(times: number, atOnce: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const take = async () => {
    while (next < times) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
}

test.runIf(isLinux)(
  '2,000 idle streams take less than 100 MB and almost no processor time',
  {
    timeout: 300_000,
  },
  async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Idle' });
    const keys: number[] = [];
    await repeat(1_999, 4, async () => void keys.push(await subscribe({ eventType: 'Port.U' })));
    const changed = await subscribe({ eventType: `Vessel.U.${vessel.key}` });
    const api = await startApi();
    // The first requests make the process larger, whatever they ask for.
    await repeat(500, 10, async (n) => drop(connect(api, keys[n % keys.length]!)));
    await sleep(2_000);
    const before = residentMb(api.pid);
    const streams: IncomingMessage[] = [];
    const busy = await openStream(api, changed);
    await repeat(keys.length, 20, async (n) => {
      const response = await connect(api, keys[n - 1]!).answered;
      expect(response.statusCode).toBe(200);
      streams.push(response.resume());
    });
    await sleep(2_000);
    const used = processorSeconds(api.pid);
    // Long enough for a comment on each stream.
    await sleep(20_000);
    const cores = (processorSeconds(api.pid) - used) / 20;
    const megabytes = residentMb(api.pid) - before;
    process.stdout.write(`2,000 idle streams: ${megabytes.toFixed(0)} MB, ${(cores * 100).toFixed(1)} % of a core.\n`);
    expect(megabytes).toBeLessThan(100);
    expect(cores).toBeLessThan(0.1);
    // What one of them is sent costs the others next to nothing.
    const usedBefore = processorSeconds(api.pid);
    for (let n = 1; n <= 100; n += 1)
      await service.put(`/ws/rest/Vessel/${vessel.key}`, { vesselName: `Changed ${n}` });
    await busy.reach(100, 30_000);
    const each = ((processorSeconds(api.pid) - usedBefore) / 100) * 1_000;
    process.stdout.write(`A notification beside 1,999 idle streams: ${each.toFixed(1)} ms of a processor.\n`);
    expect(each).toBeLessThan(25);
    for (const stream of streams) stream.destroy();
  },
);

async function drop({ request, answered }: ReturnType<typeof connect>): Promise<void> {
  request.on('error', () => undefined);
  (await answered).on('error', () => undefined).destroy();
}

test.runIf(isLinux)(
  'a stream that is opened 10,000 times and dropped leaves nothing behind',
  {
    timeout: 600_000,
  },
  async () => {
    const key = await subscribe({ acknowledgeSeconds: 600 });
    const vessel = await create(service, 'Vessel', { vesselName: 'Dropped' });
    for (let n = 0; n < 20; n += 1) await service.put(`/ws/rest/Vessel/${vessel.key}`, { vesselName: `Dropped ${n}` });
    const api = await startApi();
    /** At once, when the stream is open, or when the first notification has arrived. */
    const openAndDrop = async (n: number) => {
      const connection = connect(api, key);
      connection.request.on('error', () => undefined);
      if (n % 3 === 0) {
        await new Promise((resolve) => connection.request.on('socket', (socket) => socket.on('connect', resolve)));
        connection.request.destroy();
      } else if (n % 3 === 1) await drop(connection);
      else {
        const response = (await connection.answered).on('error', () => undefined);
        await new Promise((resolve) => response.once('data', resolve));
        response.destroy();
      }
    };
    await repeat(2_000, 50, openAndDrop);
    const before = { sockets: await settledSockets(api.pid), megabytes: await heapMb(api) };
    await repeat(8_000, 50, openAndDrop);
    const after = { sockets: await settledSockets(api.pid), megabytes: await heapMb(api) };
    process.stdout.write(`Opened and dropped: ${JSON.stringify({ before, after })}.\n`);
    const leased = `select count(*)::int as n from flaghoist_system.pending_notification
    where subscription_key = $1 and leased_until > '-infinity'`;
    await expect.poll(async () => (await pool.query(leased, [key])).rows[0].n, { timeout: 20_000 }).toBe(0);
    expect(after.sockets).toBeLessThanOrEqual(before.sockets + 5);
    // A kilobyte left by each would be 8 MB.
    expect(after.megabytes - before.megabytes).toBeLessThan(8);
    // No other consumer is left to share with.
    const { events } = await openStream(api, key);
    await expect.poll(() => events.length, { timeout: 10_000 }).toBe(20);
  },
);

/** After a full garbage collection. What the system counts varies by 50 MB. */
async function heapMb({ signal, output }: WorkerProcess): Promise<number> {
  const reports = () => [...output().matchAll(/heap in use: (\d+)\n/g)];
  const before = reports().length;
  signal('SIGUSR2');
  await expect.poll(() => reports().length, { timeout: 10_000 }).toBe(before + 1);
  return Number(reports().at(-1)![1]) / 2 ** 20;
}

/** When the service has noticed that the connections are gone. */
async function settledSockets(pid: number): Promise<number> {
  let last = countSockets(pid);
  for (let same = 0; same < 10; ) {
    await sleep(100);
    const now = countSockets(pid);
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}
