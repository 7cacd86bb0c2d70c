// The consumer of streams through what happens in a week: cut and silent connections, restarts of the service, tokens
// that expire, handlers that fail. A ledger shows that nothing is lost, or acknowledged before its handler has finished.

import { expect, test } from 'vitest';
import { openBeside } from '../../../server/test/auth/service-beside.ts';
import { useTestService } from '../../../server/test/support/test-service.ts';
import { consume, createVessels, isDelivered, nameIn, subscribeToStream } from './consumer.ts';
import { openRelay } from './cutting-relay.ts';

const service = useTestService();

test('wherever a connection is cut, in an event or between two, everything is handled', {
  timeout: 60_000,
}, async () => {
  const key = await subscribeToStream(service);
  const names = await createVessels(service, 20);
  const relay = await openRelay(service.url());
  // In the head of the response, in its first event, and in later ones. So few are handled that each place is reached.
  relay.places = [1, 80, 700, 1_500, 2_200, 2_201, 2_202, 4_000];
  const ledger = consume(relay.url, key);
  await ledger.reach(20, 50_000);
  await isDelivered(service, key, 20);
  expect([ledger.early, new Set(ledger.handled), relay.cuts]).toEqual([[], new Set(names), 8]);
});

test('a connection that falls silent is given up, and another one opened', async () => {
  const key = await subscribeToStream(service);
  const relay = await openRelay(service.url());
  const ledger = consume(relay.url, key, () => undefined, { silenceMs: 500 });
  await createVessels(service, 1);
  await ledger.reach(1);
  relay.freeze();
  const [name] = await createVessels(service, 1);
  await ledger.reach(2, 20_000);
  expect(ledger.handled.at(-1)).toBe(name);
  expect(ledger.errors).toContain('The stream was silent for 0.5 s.');
});

test('a stream goes on with a new token when its token has expired', { timeout: 90_000 }, async () => {
  const beside = await openBeside(service.database, {
    FLAGHOIST_DATA_DIR: service.dataDir,
    FLAGHOIST_TOKEN_LIFETIME_SECONDS: '3',
  });
  const key = await subscribeToStream(service);
  let streams = 0;
  const ledger = consume(
    beside.localUrl,
    key,
    () => undefined,
    {},
    (path) => {
      if (path.endsWith('/stream')) streams += 1;
    },
  );
  await createVessels(service, 2);
  await ledger.reach(2);
  // The service looks at the token every 15 seconds.
  await expect.poll(() => streams, { timeout: 40_000 }).toBe(2);
  await createVessels(service, 2);
  await ledger.reach(4);
  await isDelivered(service, key, 4);
  await ledger.stop();
  expect([ledger.early, ledger.errors]).toEqual([[], []]);
  await beside.stop();
});

test('over restarts of the service, cuts and failing handlers, nothing is lost', { timeout: 180_000 }, async () => {
  const environment = { FLAGHOIST_DATA_DIR: service.dataDir, FLAGHOIST_BASE_URL: service.url() };
  let beside = await openBeside(service.database, environment);
  const key = await subscribeToStream(service, { acknowledgeSeconds: 2 });
  const relay = await openRelay(beside.localUrl);
  const failed = new Set<string>();
  let calls = 0;
  const handler = async (notification: Parameters<typeof nameIn>[0]) => {
    calls += 1;
    await new Promise((resolve) => setImmediate(resolve));
    const name = nameIn(notification);
    if (calls % 10 !== 0 || failed.has(name)) return;
    failed.add(name);
    throw new Error('It fails once.');
  };
  const ledger = consume(relay.url, key, handler, { concurrency: 4, limit: 50 });
  const names: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    names.push(...(await createVessels(service, 60)));
    await ledger.reach(names.length / 2, 30_000);
    await beside.stop();
    names.push(...(await createVessels(service, 20)));
    beside = await openBeside(service.database, environment);
    relay.places = round % 2 === 0 ? [3_000, 9_000] : [];
    relay.target = beside.localUrl;
  }
  await ledger.reach(names.length, 60_000);
  await isDelivered(service, key, names.length, 30_000);
  await ledger.stop();
  await beside.stop();
  expect([ledger.early, new Set(ledger.handled)]).toEqual([[], new Set(names)]);
  expect(ledger.acknowledged.size).toBe(names.length);
  expect([failed.size > 0, relay.cuts > 0, ledger.atOnceMax]).toEqual([true, true, 4]);
  process.stdout.write(
    `${names.length} notifications, ${ledger.handled.length} handled, ${failed.size} failed once, ${relay.cuts} cuts.\n`,
  );
});
