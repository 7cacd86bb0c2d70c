// `flaghoist listen` in bad times, with a ledger of every change: the service and its database are killed and come
// back, the target refuses and dawdles, listen itself is killed and started again. Nothing is lost.

import { findFreePort } from '@flaghoist/embedded-postgres';
import { beforeAll, expect, test } from 'vitest';
import { startWorker } from '../../server/test/deliver/worker-process.ts';
import { DatabaseRelay } from '../../server/test/support/database-relay.ts';
import { createFleet, createVoyage } from '../../server/test/support/fleet.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { useCli } from './support/cli.ts';
import { startTarget, type Target } from './support/target.ts';

/** Makes the changes. Listen talks to other processes on the same database, which are killed. */
const service = useTestService();
const cli = useCli(service.url);

let voyage: number;

beforeAll(async () => {
  voyage = (await createVoyage(service, await createFleet(service))).key;
});

let count = 0;
/** What was changed, in order. */
class Ledger {
  readonly entries: string[] = [];

  async write(number: number): Promise<void> {
    for (let n = 0; n < number; n += 1) {
      count += 1;
      const comments = `entry ${count}`;
      expect((await service.put(`/ws/rest/Voyage/${voyage}`, { comments })).status).toBe(200);
      this.entries.push(comments);
    }
  }

  /** Once the target has accepted every entry. */
  async isCompleteAt(target: Target): Promise<void> {
    await expect
      .poll(() => this.entries.filter((entry) => !acceptedBy(target).includes(entry)), { timeout: 90_000 })
      .toEqual([]);
  }
}

function acceptedBy(target: Target): string[] {
  return target.deliveries
    .filter(({ status }) => status >= 200 && status < 300)
    .map(({ body }) => JSON.parse(body).resource.comments);
}

/** `stop`: gives the way to the database back at the end. */
async function startOther(databaseUrl = service.database.url, port?: number) {
  const usedPort = port ?? (await findFreePort());
  const settings = { FLAGHOIST_ROLES: 'api,worker', FLAGHOIST_PORT: String(usedPort) };
  return { process: await startWorker(databaseUrl, settings), port: usedPort, url: `http://127.0.0.1:${usedPort}` };
}

const listenArgs = (target: Target, ...more: string[]) => [
  ...['listen', '--event', `Voyage.U.${voyage}`, '--forward-to', target.url],
  ...more,
];

test('the service is killed twice: listen reconnects, and the ledger is complete', { timeout: 240_000 }, async () => {
  const ledger = new Ledger();
  const target = await startTarget();
  const first = await startOther();
  const program = cli.start(listenArgs(target), { FLAGHOIST_URL: first.url });
  await program.says(/^Listening to /m);
  await ledger.write(20);
  await program.lines(5);
  await first.process.kill();
  await program.says(/^Connection lost: /m);
  await ledger.write(20);
  const second = await startOther(service.database.url, first.port);
  await program.says(/^Connected again after \d+ s\.$/m, 60_000);
  await ledger.write(5);
  await second.process.kill();
  await ledger.write(5);
  await startOther(service.database.url, first.port);
  await ledger.isCompleteAt(target);
  expect(await program.end('SIGTERM')).toBe(0);
  expect(program.stderr).toMatch(/\nUnsubscribed\.\n$/);
});

test('the database is cut off and comes back: the ledger is complete', { timeout: 240_000 }, async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  const ledger = new Ledger();
  const target = await startTarget();
  const other = await startOther(relay.urlOf(service.database.url));
  const program = cli.start(listenArgs(target), { FLAGHOIST_URL: other.url });
  await program.says(/^Listening to /m);
  await ledger.write(10);
  await program.lines(3);
  await relay.close();
  await ledger.write(10);
  await relay.open();
  await ledger.write(10);
  await ledger.isCompleteAt(target);
  expect(await program.end('SIGTERM')).toBe(0);
  await other.process.stop();
  await relay.close();
});

test('a target that refuses, dawdles and restarts gets everything, in order', { timeout: 240_000 }, async () => {
  const ledger = new Ledger();
  const target = await startTarget();
  const program = cli.start(listenArgs(target, '--timeout', '0.3'));
  await program.says(/^Listening to /m);
  await ledger.write(10);
  for (const status of [500, 0, 302, 401]) {
    target.status = status;
    const seen = target.deliveries.length;
    await ledger.write(5);
    await expect.poll(() => target.deliveries.length, { timeout: 60_000 }).toBeGreaterThan(seen);
    target.status = 204;
    await ledger.isCompleteAt(target);
  }
  // One after the other, so that they arrive in order.
  expect([...new Set(acceptedBy(target))]).toEqual(ledger.entries);
  await program.end();
});

test('killed in the middle and started again by name, as often as you like: complete', {
  timeout: 240_000,
}, async () => {
  const ledger = new Ledger();
  const target = await startTarget();
  const named = listenArgs(target, '--name', 'ledger', '--show-secret');
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP'] as const) {
    const program = cli.start(named);
    await program.says(/^Listening to /m);
    for (const [, secret] of program.stderr.matchAll(/(whsec_\S+)/g)) service.secrets.plant('the secret', secret!);
    await ledger.write(10);
    await program.lines(2, undefined, 60_000);
    await program.end(signal);
    await ledger.write(3);
  }
  const last = cli.start(named);
  await ledger.isCompleteAt(target);
  const [{ key }] = await cli.json('subscription', 'list');
  const pending = `/ws/rest/WebhookNotification?filter=subscription(EQ)${key}&filter=status(EQ)PENDING`;
  await expect.poll(async () => (await service.get(pending)).body, { timeout: 60_000 }).toEqual([]);
  await last.end();
});

test('an end while the service is away says what remains', { timeout: 120_000 }, async () => {
  const target = await startTarget();
  const other = await startOther();
  const program = cli.start(listenArgs(target), { FLAGHOIST_URL: other.url });
  const [, key] = await program.says(/temporary subscription (\d+)/);
  await other.process.kill();
  await program.says(/^Connection lost: /m);
  expect(await program.end('SIGINT')).toBe(0);
  expect(program.stderr).toContain(`"flaghoist subscription unsubscribe ${key}" ends the subscription later.`);
});
