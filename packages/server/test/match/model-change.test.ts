// A rolling restart with a new model file: processes with the old model and with the new one run in parallel. Old
// processes do not touch events that they cannot read, and nothing is lost.

import { expect, test } from 'vitest';
import { type ServiceBeside, startBeside } from '../auth/service-beside.ts';
import { useTestService } from '../support/test-service.ts';

const installation = { FLAGHOIST_BASE_URL: 'http://flaghoist.test' };
const service = useTestService({ ...installation, FLAGHOIST_ROLES: 'api' });
const newModel = { ...installation, FLAGHOIST_MODEL_FILE: 'examples/model-file.json' };

test('events of a newer model wait for a worker that has it, and the old worker says that it is not ready', {
  timeout: 60_000,
}, async () => {
  const oldWorker = await startBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'worker' });
  expect(await readiness(oldWorker)).toMatchObject({ status: 'ready' });
  const api = await startBeside(service.database, { ...newModel, FLAGHOIST_ROLES: 'api' });
  const subscriptions = [
    await post(api, 'WebhookSubscription', { eventType: 'Certificate.C', url }),
    await post(api, 'WebhookSubscription', { eventType: 'Voyage.C', url, expression: 'tradeLane = "ATLANTIC"' }),
  ];
  const vessel = await post(api, 'Vessel', { vesselName: 'Certified' });
  for (let n = 0; n < 10; n += 1) {
    await post(api, 'Certificate', { vessel, certificateNo: `C-${n}`, certificateType: 'SMC' });
    await post(api, 'Voyage', { tradeLane: n % 2 === 0 ? 'ATLANTIC' : 'PACIFIC' });
  }
  await expect.poll(() => kindsOf(oldWorker), { timeout: 10_000 }).toContain('model.outdated');
  expect(kindsOf(oldWorker).filter((kind) => kind === 'model.outdated')).toHaveLength(1);
  expect(await readiness(oldWorker)).toMatchObject({
    statusCode: 503,
    message: expect.stringContaining('model of another process'),
  });
  expect(await notified(subscriptions)).toEqual([0, 0]);
  const newWorker = await startBeside(service.database, { ...newModel, FLAGHOIST_ROLES: 'worker' });
  await expect.poll(() => notified(subscriptions), { timeout: 20_000 }).toEqual([10, 5]);
  expect(await readiness(newWorker)).toMatchObject({ status: 'ready' });
  await expect.poll(unmatched, { timeout: 10_000 }).toBe(0);
});

const url = 'http://127.0.0.1:9/hook';

function kindsOf({ observations }: ServiceBeside): string[] {
  return observations.map(({ kind }) => kind);
}

async function readiness({ localUrl }: ServiceBeside): Promise<unknown> {
  return (await fetch(`${localUrl}/health/ready`)).json();
}

/** Returns the key. */
async function post({ localUrl }: ServiceBeside, resource: string, body: object): Promise<number> {
  const answer = await fetch(`${localUrl}/ws/rest/${resource}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(201);
  return JSON.parse(text).key;
}

/** How many notifications each subscription has. */
async function notified(subscriptions: readonly number[]): Promise<number[]> {
  const { rows } = await service.database.pool.query(
    `select (select count(*)::int from flaghoist_service.webhook_notification n where n.subscription = s)
     from unnest($1::bigint[]) with ordinality as s (s, place) order by place`,
    [subscriptions],
  );
  return rows.map(({ count }) => count);
}

async function unmatched(): Promise<number> {
  const { rows } = await service.database.pool.query('select count(*)::int from flaghoist_system.unmatched_event');
  return rows[0].count;
}
