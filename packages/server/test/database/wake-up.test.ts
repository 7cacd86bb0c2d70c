// One process notifies another of new work: at once for the first signal, together for those shortly after it.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ServerHosts } from '../../src/database/server-hosts.ts';
import { WakeUp } from '../../src/database/wake-up.ts';
import { useTestDatabase } from '../support/test-database.ts';

/** On a busy machine. */
const patience = { timeout: 10_000 };

const database = useTestDatabase({ isMigrated: false });
const hosts = () => new ServerHosts(database.url, () => undefined);

test('a notification reaches another process', async () => {
  const { sender, countReceived } = await startPair();
  sender.notify();
  await expect.poll(countReceived, patience).toBe(1);
});

test('of many signals, the first arrives at once and the others together', async () => {
  const { sender, countReceived } = await startPair();
  for (let n = 0; n < 1_000; n += 1) sender.notify();
  await expect.poll(countReceived, patience).toBeGreaterThanOrEqual(2);
  await sleep(100);
  // On a busy machine there may have been several intervals.
  expect(countReceived()).toBeLessThan(20);
});

test('the last signal always leads to a notification after it', async () => {
  const { sender, countReceived } = await startPair();
  for (let n = 0; n < 30; n += 1) {
    const before = countReceived();
    sender.notify();
    await expect.poll(countReceived, { ...patience, interval: 1 }).toBeGreaterThan(before);
  }
});

test('no notification is sent after a stop', async () => {
  const { sender, countReceived } = await startPair();
  sender.notify();
  sender.notify();
  await sender.stop();
  await sleep(50);
  expect(countReceived()).toBeLessThanOrEqual(1);
});

describe('changes by a program that knows nothing of the service', () => {
  const migrated = useTestDatabase();
  const insert = "insert into flaghoist.voyage (comments) values ('foreign')";

  test('wake the service, once for each transaction; those of the service itself do not', async () => {
    const received = await listen();
    await migrated.pool.query(insert);
    await expect.poll(() => received, patience).toEqual(['sql']);
    await migrated.pool.query(`begin; ${insert}; ${insert}; commit`);
    await expect.poll(() => received, patience).toEqual(['sql', 'sql']);
    await migrated.connections.run({ text: insert });
    await migrated.pool.query(`begin; ${insert}; rollback`);
    await migrated.pool.query("notify flaghoist_events, 'the last one'");
    await expect.poll(() => received, patience).toEqual(['sql', 'sql', 'the last one']);
  });

  test('do not wait for each other: of several that commit, one wakes it', async () => {
    const received = await listen();
    const first = await migrated.pool.connect();
    try {
      await first.query(`begin; ${insert}; set constraints all immediate`);
      await migrated.pool.query(insert);
      expect(received).toEqual([]);
      await first.query('commit');
    } finally {
      first.release();
    }
    await expect.poll(() => received, patience).toEqual(['sql']);
  });

  test('are looked for several times', async () => {
    let woken = 0;
    const listener = new WakeUp({
      hosts: new ServerHosts(migrated.url, () => undefined),
      onWake: () => {
        woken += 1;
      },
    });
    listener.start();
    onTestFinished(() => listener.stop());
    const wokenBy = async (payload: string) => {
      const before = woken;
      await migrated.pool.query(`notify flaghoist_events, '${payload}'`);
      await sleep(200);
      return woken - before;
    };
    await expect.poll(() => wokenBy('sql'), patience).toBe(3);
    expect(await wokenBy('')).toBe(1);
  });

  async function listen(): Promise<string[]> {
    const client = await migrated.pool.connect();
    onTestFinished(() => client.release(true));
    const received: string[] = [];
    client.on('notification', ({ payload = '' }) => received.push(payload));
    await client.query('listen flaghoist_events');
    return received;
  }
});

/** Both listen. `received` counts the notifications of the second. */
async function startPair() {
  let received = 0;
  const sender = new WakeUp({ hosts: hosts(), onWake: () => undefined });
  const listener = new WakeUp({
    hosts: hosts(),
    onWake: () => {
      received += 1;
    },
  });
  for (const each of [sender, listener]) each.start();
  onTestFinished(async () => {
    await Promise.all([sender.stop(), listener.stop()]);
  });
  const sendAndListen = async () => {
    sender.notify();
    await sleep(50);
    return received;
  };
  await expect.poll(sendAndListen, patience).toBeGreaterThan(0);
  let before = -1;
  while (before !== received) {
    before = received;
    await sleep(100);
  }
  return { sender, countReceived: () => received - before };
}
