// One process notifies another of new work: at once for the first signal, together for those shortly after it.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
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
