// The ERP sync of examples/: it subscribes by itself, and copies the orders that are there and those that change.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { closedPort } from '../channels/receiver.ts';
import { administrator } from '../support/access.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { allDelivered, expectExactCopy, readCopy } from './order-copy.ts';
import { startExample } from './start-example.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

const createOrder = () => create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));

test('the ERP sync copies the orders of before its subscription and all changes, and subscribes once', {
  timeout: 60_000,
}, async () => {
  const old = await createOrder();
  const file = join(service.dataDir, 'erp.sqlite');
  const port = await closedPort();
  const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const start = () =>
    startExample('erp-sync/erp-sync.mjs', [file, String(port)], {
      FLAGHOIST_URL: service.url(),
      FLAGHOIST_CLIENT_ID: administrator.clientId,
      FLAGHOIST_CLIENT_SECRET: administrator.clientSecret,
      SIGNING_SECRET: signingSecret,
    });
  const first = start();
  await first.says('Receiving at');
  // The answer that created the subscription had it. No other may.
  service.secrets.plant('the signing secret of the ERP sync', signingSecret);
  expect(readCopy(file)).toMatchObject([{ key: old.key, sequence: 0, status: 'PLN' }]);
  const added = await createOrder();
  await service.put(`/ws/rest/BunkerOrder/${old.key}`, { bunkerOrderStatus: 'ORD' });
  await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { eta: '2026-11-20T08:00:00' });
  await allDelivered(service);
  await expectExactCopy(service, file);
  await service.delete(`/ws/rest/BunkerOrder/${added.key}`);
  await allDelivered(service);
  await expectExactCopy(service, file);
  expect(readCopy(file)).toMatchObject([{ status: 'ORD' }, { key: added.key, isDeleted: true }]);
  await first.kill();
  const second = start();
  await second.says('Receiving at');
  expect((await service.get('/ws/rest/WebhookSubscription')).body).toHaveLength(1);
  expect(first.printed() + second.printed()).not.toContain(signingSecret);
});

test('without a secret it says so, and receives nothing', async () => {
  const sync = startExample('erp-sync/erp-sync.mjs', [join(service.dataDir, 'none.sqlite'), '0'], {});
  await sync.says('`secret` is missing. Pass the `signingSecret` of the subscription.');
  expect(await sync.end()).toBe(1);
});
