// Vessels that are changed, and streamed subscriptions to their changes, for tests.

import { expect } from 'vitest';
import { create, type Shown } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';
import type { Streamed } from './stream-client.ts';

export const keysOf = (events: readonly Streamed[]): number[] => events.map(({ notification }) => notification);
export const nameIn = ({ body }: Streamed): string => JSON.parse(body).resource.vesselName;

export function useStreamed(service: TestService) {
  const { pool } = service.database;
  let count = 0;
  const nextName = () => {
    count += 1;
    return `V${count}`;
  };
  return {
    /** The name that a vessel was given last. */
    lastName: () => `V${count}`,

    async subscribe(more: object = {}): Promise<{ key: number; signingSecret: string }> {
      const body = { eventType: 'Vessel.U', channelInfo: { channelType: 'STREAM' }, ...more };
      const answer = await service.post('/ws/rest/WebhookSubscription', body);
      expect(answer.status, answer.text).toBe(201);
      service.secrets.plant('a signing secret', answer.body.signingSecret);
      return answer.body;
    },

    /** A vessel that was changed this many times; the notifications are in this order. */
    async change(times = 1, vessel?: Shown): Promise<Shown> {
      const changed = vessel ?? (await create(service, 'Vessel', { vesselName: nextName() }));
      for (let time = 0; time < times; time += 1)
        await service.put(`/ws/rest/Vessel/${changed.key}`, { vesselName: nextName() });
      return changed;
    },

    async logged(key: number): Promise<Shown> {
      return (await service.get(`/ws/rest/WebhookNotification/${key}`)).body;
    },

    /** As if the time to acknowledge were over: for all, or for one notification. */
    async expire(subscription: number, notification?: number): Promise<void> {
      await pool.query(
        `update flaghoist_system.pending_notification set leased_until = now() - interval '1 second'
         where subscription_key = $1 and leased_until > '-infinity'
           and notification_key = coalesce($2, notification_key)`,
        [subscription, notification],
      );
    },

    /** Waits until this many notifications are stored and with no consumer. */
    async areFree(subscription: number, expected: number): Promise<void> {
      const counted = `select count(*)::int as n from flaghoist_system.pending_notification
        where subscription_key = $1 and leased_until = '-infinity'`;
      await expect.poll(async () => (await pool.query(counted, [subscription])).rows[0].n).toBe(expected);
    },
  };
}
