// Large replays: many records to read, and a worker that is killed in the middle.

import { describe, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { countIn, ended, jobOf, subscribeTo } from './failed-notifications.ts';
import { startHooks } from './hooks.ts';
import { replayed, storeDelivered } from './replays.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';
import { startWorker } from './worker-process.ts';

const settings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' };
const pending = 'flaghoist_system.pending_notification';

describe('a service that delivers', () => {
  const service = useTestService(settings);

  test('few are found among many in bounded steps, and 1,000 are pending at most', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    await storeDelivered(service, key, 12_000);
    const ids = await storeDelivered(service, key, 1_600, { objectKey: 77 });
    const { total, job } = await replayed(service, key, { objectKey: 77 });
    expect(total).toBe(1_600);
    let most = 0;
    const look = async () => {
      most = Math.max(most, await countIn(service, `${pending} where resend_job = ${job}`));
      return (await jobOf(service, job)).status;
    };
    await expect.poll(look, { timeout: 60_000, interval: 50 }).toBe('DONE');
    expect(most).toBeLessThanOrEqual(1_000);
    expect(await jobOf(service, job)).toMatchObject({ total: 1_600, done: 1_600, failed: 0, objectKey: 77 });
    expect(receiver.taken().sort()).toEqual(ids.sort());
  }, 90_000);
});

describe('a worker that is killed', () => {
  const service = useTestService({ ...settings, FLAGHOIST_ROLES: 'api' });

  const byFilter = async (key: number) => {
    const filter = [`subscription(EQ)${key}`, 'status(EQ)DELIVERED'];
    const { body } = await service.post('/ws/rest/WebhookNotification/resend', { filter });
    return { job: body.resendJob as number };
  };

  test.each([
    ['a replay', (key: number) => replayed(service, key)],
    ['a resend by filter', byFilter],
  ])(
    '%s: the next worker continues, and only what was in flight is sent twice',
    async (_, start) => {
      const hooks = await startHooks();
      const key = await subscribeTo(service, hooks.url);
      const ids = await storeDelivered(service, key, 4_000);
      const worker = await startWorker(service.database.url, settings);
      const { job } = await start(key);
      await expect.poll(() => hooks.received.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(1_200);
      await worker.kill();
      const before = await jobOf(service, job);
      expect(before.status).toBe('RUNNING');
      const sent = () => hooks.received.map(({ headers }) => String(headers['webhook-id']));
      const unrecorded = hooks.received.length - before.done;
      await startWorker(service.database.url, settings);
      expect(await ended(service, job, 120_000)).toMatchObject({
        status: 'DONE',
        total: 4_000,
        done: 4_000,
        failed: 0,
      });
      expect([...new Set(sent())].sort()).toEqual(ids.sort());
      expect(sent().length - ids.length).toBeLessThanOrEqual(unrecorded);
      expect(hooks.received.every(({ headers }) => headers['flaghoist-replay'] === String(job))).toBe(true);
    },
    240_000,
  );
});
