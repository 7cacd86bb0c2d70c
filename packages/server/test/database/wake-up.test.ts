// One process tells another that there is something to do: the first word at once, and those of a moment together.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WakeUp } from '../../src/database/wake-up.ts';
import { useTestDatabase } from '../support/test-database.ts';

/** On a busy machine. */
const patience = { timeout: 10_000 };

const database = useTestDatabase({ isMigrated: false });

test('a word is heard by another process', async () => {
  const { teller, heard } = await startPair();
  teller.notify();
  await expect.poll(heard, patience).toBe(1);
});

test('of many words of a moment the first is heard at once and the others together', async () => {
  const { teller, heard } = await startPair();
  for (let n = 0; n < 1_000; n += 1) teller.notify();
  await expect.poll(heard, patience).toBeGreaterThanOrEqual(2);
  await sleep(100);
  // On a busy machine that may have been several moments.
  expect(heard()).toBeLessThan(20);
});

test('whatever was told last is heard after it was told', async () => {
  const { teller, heard } = await startPair();
  for (let n = 0; n < 30; n += 1) {
    const before = heard();
    teller.notify();
    await expect.poll(heard, { ...patience, interval: 1 }).toBeGreaterThan(before);
  }
});

test('who is stopped tells nothing more', async () => {
  const { teller, heard } = await startPair();
  teller.notify();
  teller.notify();
  await teller.stop();
  await sleep(50);
  expect(heard()).toBeLessThanOrEqual(1);
});

/** Both hear: `heard` is what the second has heard. */
async function startPair() {
  let words = 0;
  const teller = new WakeUp({ url: database.url, onWake: () => undefined });
  const listener = new WakeUp({
    url: database.url,
    onWake: () => {
      words += 1;
    },
  });
  for (const each of [teller, listener]) each.start();
  onTestFinished(async () => {
    await Promise.all([teller.stop(), listener.stop()]);
  });
  const tellAndListen = async () => {
    teller.notify();
    await sleep(50);
    return words;
  };
  await expect.poll(tellAndListen, patience).toBeGreaterThan(0);
  let before = -1;
  while (before !== words) {
    before = words;
    await sleep(100);
  }
  return { teller, heard: () => words - before };
}
