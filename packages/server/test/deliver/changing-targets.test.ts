// Targets are cached, and read again whenever a subscription or a user changes. However often that happens, everything
// arrives.

import { expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { createVoyage, startHooks, subscribeTo } from './hooks.ts';

const service = useTestService();

test('subscriptions that change all the time delay nothing', async () => {
  const hooks = await startHooks();
  const subscriptions = await Promise.all(
    Array.from({ length: 20 }, (_, index) => subscribeTo(service, { url: `${hooks.url}/${index}` })),
  );
  const voyages = 40;
  let isOver = false;
  const changing = (async () => {
    for (let round = 0; !isOver; round += 1) {
      const { key } = subscriptions[round % subscriptions.length]!;
      const change = { url: `${hooks.url}/${round % subscriptions.length}?round=${round}` };
      expect((await service.put(`/ws/rest/WebhookSubscription/${key}`, change)).status).toBe(200);
    }
  })();
  for (let count = 0; count < voyages; count += 1) await createVoyage(service);
  const ids = () => new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size;
  await expect.poll(ids, { timeout: 20_000 }).toBe(voyages * subscriptions.length);
  isOver = true;
  await changing;
  const pending = async () =>
    (await service.database.pool.query('select count(*)::int from flaghoist_system.pending_notification')).rows[0]
      .count;
  await expect.poll(pending, { timeout: 10_000 }).toBe(0);
});
