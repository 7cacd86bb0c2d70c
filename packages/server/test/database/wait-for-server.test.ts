// A start waits for a server that is not ready yet. An error that waiting cannot fix is reported at once.

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

function waitFor(databaseUrl: string): { version: Promise<string>; reported: Observation[] } {
  const reported: Observation[] = [];
  return { reported, version: waitForServer(databaseUrl, (observation) => void reported.push(observation)) };
}

test('a server that is down is waited for', async () => {
  const relay = await openRelay();
  await relay.close();
  const { version, reported } = waitFor(relay.urlOf(url));
  await sleep(700);
  await relay.open();
  expect(await version).toMatch(/^\d+\.\d+/);
  expect(reported).toContainEqual({ kind: 'database.waiting', reason: expect.stringContaining('ECONNREFUSED') });
});

test('a server that accepts connections but does not answer is waited for', async () => {
  const relay = await openRelay();
  relay.freezeNew();
  const { version, reported } = waitFor(relay.urlOf(url));
  await expect
    .poll(() => reported, { timeout: 10_000 })
    .toEqual([{ kind: 'database.waiting', reason: 'it does not answer' }]);
  relay.thaw();
  expect(await version).toMatch(/^\d+\.\d+/);
});

test('an unknown user is reported at once', async () => {
  const wrong = new URL(url);
  wrong.username = 'nobody_of_this_name';
  const { version, reported } = waitFor(wrong.href);
  await expect(version).rejects.toThrow(
    /^The PostgreSQL server cannot be used: .*nobody_of_this_name.*Check DATABASE_URL/,
  );
  expect(reported).toEqual([]);
});
