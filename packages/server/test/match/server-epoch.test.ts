// After a failover, the new server may lack the last changes and assign the same numbers again. Nothing that was read
// from the old server counts as current.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { selectAccess, selectRevision } from '../../src/auth/directory/access-table.ts';
import { startEmbedded } from '../../src/database/embedded-server.ts';
import { revisionWithEpoch } from '../../src/database/server-epoch.ts';
import { KeyReserve } from '../../src/match/key-reserve.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { SubscriptionSet } from '../../src/subscriptions/subscription-set.ts';
import { useTestService } from '../support/test-service.ts';
import { subscribe } from './heard.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { connections } = service.database;
const nobody = { userKey: undefined, client: 'test' };

test('subscriptions are loaded again from another server, even if the revision number is the same', async () => {
  const subscription = await subscribe(service, { eventType: 'Vessel.C' });
  const set = new SubscriptionSet(buildModel(catalogue));
  const refresh = (revision: string) => connections.transaction(nobody, ({ run }) => set.refresh(revision, run));
  const operations = () => [...set.find('Vessel', 'C', 1)].map(({ key, operation }) => [key, operation]);
  await refresh('1763390000.1/5');
  expect(operations()).toEqual([[subscription, 'C']]);
  // The last commit of the old server, which the new one lacks.
  await asReplica(
    `update flaghoist_service.webhook_subscription set event_types = '{Vessel.D}' where key = ${subscription}`,
  );
  await refresh('1763390000.1/5');
  expect(operations()).toEqual([[subscription, 'C']]);
  await refresh('1763399999.7/5');
  expect(operations()).toEqual([]);
});

test('keys reserved on another server are not used, because this server may issue them again', async () => {
  const keys = new KeyReserve();
  const take = (serverEpoch: string) =>
    connections.transaction(nobody, async ({ run }) => {
      await keys.fill({ count: 1, serverEpoch }, run);
      return keys.take();
    });
  const [first, second] = [await take('1763390000.1'), await take('1763390000.1')];
  expect(second).toBe(first + 1);
  expect(await take('1763399999.7')).toBeGreaterThan(first + 400);
});

test('the revision of users and clients contains the epoch, and is the same wherever it is read', async () => {
  const [revision] = await connections.run(selectRevision());
  const [access] = await connections.run(selectAccess());
  expect(revision!.revision).toMatch(/^\d+\.\d+\/\d+$/);
  expect(access!.revision).toBe(revision!.revision);
});

test('each start of a server is a new epoch', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'flaghoist-test-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const revisions: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    const server = await startEmbedded({ dataDir, observe: () => undefined });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (let ask = 0; ask < 2; ask += 1)
      revisions.push((await client.query(`select ${revisionWithEpoch('5')} as revision`)).rows[0].revision);
    await client.end();
    await server.stop();
  }
  expect(new Set(revisions).size).toBe(2);
  expect(revisions[0]).toBe(revisions[1]);
});

/** A change without triggers. */
async function asReplica(statement: string): Promise<void> {
  const client = await service.database.pool.connect();
  await client.query('begin; set local session_replication_role = replica');
  await client.query(statement);
  await client.query('commit');
  client.release();
}
