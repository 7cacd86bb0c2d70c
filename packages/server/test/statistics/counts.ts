// What the statistics say, once everything that has happened is counted.

import { expect } from 'vitest';
import type { TestClient } from '../support/access.ts';
import type { TestService } from '../support/test-service.ts';

export interface Totals {
  changes: number;
  created: number;
  delivered: number;
  retried: number;
  failed: number;
  p50Ms: number | null;
  p99Ms: number | null;
}

export interface Statistics {
  range: string;
  from: string;
  to: string;
  stepSeconds: number;
  points: (Totals & { at: string })[];
  totals: Totals;
}

export async function statisticsBy(
  service: TestService,
  query = '',
  headers?: TestClient['headers'],
): Promise<Statistics> {
  const answer = await service.get(`/ws/rest/WebhookNotification/statistics?${query}`, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Without waiting until it is some seconds old. */
export async function counted({ database }: Pick<TestService, 'database'>): Promise<void> {
  const isLeft = async () => {
    await database.pool.query(`update flaghoist_system.activity set recorded_at = recorded_at - interval '4 seconds'
      where recorded_at > now() - interval '4 seconds'`);
    const { rows } = await database.pool.query('select exists (select from flaghoist_system.activity) as left');
    return rows[0].left;
  };
  await expect.poll(isLeft, { timeout: 15_000, interval: 50 }).toBe(false);
}
