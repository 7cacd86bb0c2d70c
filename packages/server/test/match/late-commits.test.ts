// Event ids are not in commit order. An event that commits late has a lower id than events that are already matched,
// and is still matched, however far behind it is.

import { expect, onTestFinished, test } from 'vitest';
import { type Hooks, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { matched } from './heard.ts';

const service = useTestService();
const { pool } = service.database;

test('FLT-34: a transaction with a lower event id that commits 3 s later is delivered, too', async () => {
  const hooks = await startVesselHooks();
  const late = await beginLate();
  const startedAt = performance.now();
  const others: number[] = [];
  // The worker continues meanwhile, so that its last id is far above.
  while (performance.now() - startedAt < 3_000) {
    others.push((await create(service, 'Vessel', { vesselName: `Meanwhile ${others.length}` })).key);
    await arrived(hooks, others);
  }
  expect(await eventIdOf(others[0]!)).toBeGreaterThan(late.eventId);
  expect(keysIn(hooks)).not.toContain(late.key);
  await late.commit();
  await arrived(hooks, [...others, late.key]);
});

test.each([
  // The margins of matching, and a little more.
  ['at every claim', 400],
  ['every 100 ms', 600],
  ['every 2 s', 10_100],
  ['every 2 s', 2_000_000],
])('FLT-34: what is looked for %s: an event that commits %s ids behind is delivered', async (_, gap) => {
  const hooks = await startVesselHooks();
  const late = await beginLate();
  await pool.query(`select setval(pg_get_serial_sequence('flaghoist_system.event', 'id'), $1)`, [late.eventId + gap]);
  const other = (await create(service, 'Vessel', { vesselName: 'Far ahead' })).key;
  await arrived(hooks, [other]);
  expect((await eventIdOf(other)) - late.eventId).toBeGreaterThan(gap);
  await late.commit();
  await arrived(hooks, [other, late.key]);
});

test('FLT-34: an event far behind is delivered even while others keep the worker busy', async () => {
  const hooks = await startVesselHooks();
  const late = await beginLate();
  await pool.query(`select setval(pg_get_serial_sequence('flaghoist_system.event', 'id'), $1)`, [
    late.eventId + 20_000,
  ]);
  const others: number[] = [];
  const goOn = async () => others.push((await create(service, 'Vessel', { vesselName: `Busy ${others.length}` })).key);
  await goOn();
  await arrived(hooks, others);
  await late.commit();
  const endsAt = performance.now() + 15_000;
  while (!keysIn(hooks).includes(late.key) && performance.now() < endsAt) await goOn();
  await arrived(hooks, [...others, late.key]);
});

/** Each is notified of every vessel created from now on. */
async function startVesselHooks(): Promise<Hooks> {
  const hooks = await startHooks();
  const { key } = await subscribeTo(service, { url: hooks.url, eventType: 'Vessel.C' });
  onTestFinished(async () => {
    await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  });
  return hooks;
}

/** A transaction that has written its event and not committed yet. */
async function beginLate(): Promise<{ key: number; eventId: number; commit: () => Promise<void> }> {
  const client = await pool.connect();
  let isOpen = true;
  const end = async (how: 'commit' | 'rollback') => {
    if (!isOpen) return;
    isOpen = false;
    await client.query(how);
    client.release();
  };
  onTestFinished(() => end('rollback'));
  await client.query('begin');
  const { rows } = await client.query(`insert into flaghoist.vessel (vessel_name) values ('Late') returning key::int`);
  const key: number = rows[0].key;
  const events = await client.query('select id::int from flaghoist_system.event where object_key = $1', [key]);
  return { key, eventId: events.rows[0].id, commit: () => end('commit') };
}

async function eventIdOf(key: number): Promise<number> {
  const { rows } = await pool.query('select id::int from flaghoist_system.event where object_key = $1', [key]);
  return rows[0].id;
}

function keysIn({ received }: Hooks): number[] {
  return received.map(({ body }) => JSON.parse(body).resource.key);
}

/** Expects these, each once, and no others. */
async function arrived(hooks: Hooks, keys: readonly number[]): Promise<void> {
  const sorted = [...keys].sort((a, b) => a - b);
  await expect.poll(() => keysIn(hooks).sort((a, b) => a - b), { timeout: 15_000, interval: 10 }).toEqual(sorted);
  await matched(service);
}
