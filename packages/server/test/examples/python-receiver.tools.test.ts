// The Python receiver of examples/: it verifies with the library of PyPI, and its copy is exact.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pythonPackages } from '../../../../test/tools/install-tools.ts';
import { withTools } from '../../../../test/tools/with-tools.ts';
import { closedPort } from '../channels/receiver.ts';
import { subscribeTo } from '../deliver/hooks.ts';
import { createFleet, createVoyage } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { allDelivered, expectExactCopy, readCopy, writeHistory } from './order-copy.ts';
import { startExample } from './start-example.ts';

const requirements = fileURLToPath(new URL('../../../../examples/python-receiver/requirements.txt', import.meta.url));
const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '100' });

test('the Python receiver keeps an exact copy over kill -9 and a replay, and rejects other signatures', {
  timeout: 1_800_000,
}, async (context) => {
  const bin = await withTools(context, ['python'], () => pythonPackages('receiver', requirements));
  const python = join(bin, 'python');
  const port = await closedPort();
  const file = join(service.dataDir, 'python.sqlite');
  const url = `http://127.0.0.1:${port}/`;
  const subscription = await subscribeTo(service, { eventType: undefined, eventTypes: ['BunkerOrder.*'], url });
  const path = `/ws/rest/WebhookSubscription/${subscription.key}`;
  const start = (secret: string) =>
    startExample('python-receiver/receiver.py', [file, String(port)], { SIGNING_SECRET: secret }, python);
  const first = start(subscription.signingSecret);
  await first.says('Receiving at');
  expect((await service.post(`${path}/ping`, {})).body).toMatchObject({ isDelivered: true, statusCode: 204 });
  const fleet = await createFleet(service);
  const voyage = await createVoyage(service, fleet);
  const history = (from: number) => Array.from({ length: 30 }, (_, step) => from + step * 7);
  await writeHistory(service, fleet, voyage, history(0));
  await first.kill('SIGKILL');
  await writeHistory(service, fleet, voyage, history(3));
  const second = start(subscription.signingSecret);
  await allDelivered(service);
  await expectExactCopy(service, file);
  const before = readCopy(file);
  expect(before.some(({ isDeleted }) => isDeleted)).toBe(true);
  const { job } = (await service.post(`${path}/replay`, {})).body;
  const status = async () => (await service.get(`/ws/rest/ResendJob/${job}`)).body.status;
  await expect.poll(status, { timeout: 60_000, interval: 100 }).toBe('DONE');
  expect(readCopy(file)).toEqual(before);
  expect(second.printed()).toContain('is not newer');
  expect(first.printed() + second.printed()).not.toContain('Traceback');

  await second.kill();
  const wrong = start(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
  await wrong.says('Receiving at');
  expect((await service.post(`${path}/ping`, {})).body).toMatchObject({ isDelivered: false, statusCode: 401 });
});
