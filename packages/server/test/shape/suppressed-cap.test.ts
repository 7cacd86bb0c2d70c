// If the scripts of very many subscriptions of a user suppress an event, the first thousand reasons are recorded.

import { expect, test } from 'vitest';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { makeScript, prepared, put } from './shaped.ts';

const service = useTestService();

test('a thousand reasons per event and user are recorded, with their logs', { timeout: 90_000 }, async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Popular' });
  const { code } = await makeScript(service, 'console.log("no"); return false;');
  const wishes = { eventType: `Vessel.U.${vessel.key}`, url: 'http://127.0.0.1:9/', dlpAlertScript: code };
  for (let n = 0; n < 11; n += 1) {
    const answer = await service.post('/ws/rest/WebhookSubscription', Array(100).fill(wishes));
    expect(answer.status, answer.text).toBe(201);
  }
  for (const flag of ['A', 'B']) await put(service, 'Vessel', vessel.key, { flag });
  await prepared(service, 60_000);
  for (const table of ['suppressed_match', 'script_log']) {
    const counted = `select count(*)::int from flaghoist_system.${table} group by event_id`;
    expect((await service.database.pool.query(counted)).rows).toEqual([{ count: 1_000 }, { count: 1_000 }]);
  }
});
