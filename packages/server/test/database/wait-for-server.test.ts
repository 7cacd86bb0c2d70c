// A start waits for a server that is not there yet, or not quite; and tells at once what no waiting will change.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { waitForServer } from '../../src/database/wait-for-server.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url } = useTestDatabase({ isMigrated: false });

async function openRelay(): Promise<DatabaseRelay> {
  const relay = new DatabaseRelay();
  await relay.open();
  onTestFinished(() => relay.close());
  return relay;
}

function waitFor(databaseUrl: string): { version: Promise<string>; told: Observation[] } {
  const told: Observation[] = [];
  return { told, version: waitForServer(databaseUrl, (observation) => void told.push(observation)) };
}

test('one that is down is waited for', async () => {
  const relay = await openRelay();
  await relay.close();
  const { version, told } = waitFor(relay.urlOf(url));
  await sleep(700);
  await relay.open();
  expect(await version).toMatch(/^\d+\.\d+/);
  expect(told).toContainEqual({ kind: 'database.waiting', reason: expect.stringContaining('ECONNREFUSED') });
});

test('one that takes connections and says nothing is waited for', async () => {
  const relay = await openRelay();
  relay.freezeNew();
  const { version, told } = waitFor(relay.urlOf(url));
  await expect
    .poll(() => told, { timeout: 10_000 })
    .toEqual([{ kind: 'database.waiting', reason: 'it does not answer' }]);
  relay.thaw();
  expect(await version).toMatch(/^\d+\.\d+/);
});

test('an unknown user is told at once', async () => {
  const wrong = new URL(url);
  wrong.username = 'nobody_of_this_name';
  const { version, told } = waitFor(wrong.href);
  await expect(version).rejects.toThrow(
    /^The PostgreSQL server cannot be used: .*nobody_of_this_name.*Check DATABASE_URL/,
  );
  expect(told).toEqual([]);
});
