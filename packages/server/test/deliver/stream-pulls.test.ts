// Receivers that pull their notifications.

import { describe, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { acknowledge, pull } from './stream-client.ts';
import { keysOf, nameIn, useStreamed } from './streamed.ts';

const service = useTestService();
const { pool } = service.database;
const { subscribe, change, areFree, expire, lastName } = useStreamed(service);

describe('pull', () => {
  test('returns what there is, leases it, and returns it again if it was not acknowledged', async () => {
    const { key } = await subscribe();
    await change(3);
    await areFree(key, 3);
    const first = await pull(service, key, { limit: 2, waitSeconds: 5 });
    expect(first).toHaveLength(2);
    const second = await pull(service, key, { waitSeconds: 5 });
    expect(second).toHaveLength(1);
    expect(await pull(service, key)).toEqual([]);
    await acknowledge(service, key, { notifications: keysOf(second) });
    await expire(key);
    expect(keysOf(await pull(service, key, { waitSeconds: 10 }))).toEqual(keysOf(first));
  });

  test('waits for the next notification, and not longer than it was told', async () => {
    const { key } = await subscribe();
    const waiting = pull(service, key, { waitSeconds: 20 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await change();
    expect((await waiting).map(nameIn)).toEqual([lastName()]);
    expect(await pull(service, key, { waitSeconds: 1 })).toEqual([]);
  });

  test('of a client that has gone leases nothing', async () => {
    const { key } = await subscribe();
    const gone = new AbortController();
    const url = `${service.url()}/ws/rest/WebhookSubscription/${key}/pull`;
    const headers = { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' };
    const waiting = fetch(url, { method: 'POST', headers, body: '{"waitSeconds":30}', signal: gone.signal });
    await new Promise((resolve) => setTimeout(resolve, 200));
    gone.abort();
    await waiting.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await change();
    expect(await pull(service, key, { waitSeconds: 10 })).toHaveLength(1);
  });

  test('returns at most 256 kB of bodies at once, and a larger one alone', async () => {
    const { key } = await subscribe();
    await change(4);
    await areFree(key, 4);
    const all = await pull(service, key, { limit: 4 });
    expect(all).toHaveLength(4);
    const lengths = [100_000, 100_000, 100_000, 300_000];
    for (const [index, notification] of keysOf(all).entries())
      await pool.query(
        `update flaghoist_system.notification_body set body = body || repeat(' ', $2) where notification_key = $1`,
        [notification, lengths[index]],
      );
    await expire(key);
    for (const wanted of [keysOf(all).slice(0, 2), keysOf(all).slice(2, 3), keysOf(all).slice(3)])
      expect(keysOf(await pull(service, key, { waitSeconds: 10 }))).toEqual(wanted);
  });

  test('returns no more than the rate allows', async () => {
    const { key } = await subscribe({ ratePerSecond: 0.05 });
    await change(3);
    expect(await pull(service, key, { waitSeconds: 10 })).toHaveLength(1);
    expect(await pull(service, key)).toEqual([]);
  });
});
