// The jobs of resends and replays, for tests: how they are requested, changed, and advanced step by step.

import { afterAll, expect } from 'vitest';
import { Database, type Statement } from '../../src/database/database.ts';
import type { ReplaySelection } from '../../src/deliver/resend/replay-selection.ts';
import { advanceResend, type ResendStep } from '../../src/deliver/resend/resend-loop.ts';
import { lockProgress } from '../../src/deliver/resend/resend-progress-table.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { Observe } from '../../src/observe/observation.ts';
import type { Answer, TestService } from '../support/test-service.ts';

/** Two attempts, soon after each other. */
export const resendSettings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' };

export interface Accepted {
  total: number;
  job: number | null;
  jobSelf: string | null;
}

export function accepted(answer: Answer): Accepted {
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
}

export function changeJob(
  service: TestService,
  job: number | null,
  body: object,
  headers?: Record<string, string>,
): Promise<Answer> {
  return service.put(`/ws/rest/ResendJob/${job}`, body, headers);
}

/** How many notifications of the job are pending. */
export async function pendingOf({ database }: Pick<TestService, 'database'>, job: number | null): Promise<number> {
  const { rows } = await database.pool.query(
    'select count(*)::int from flaghoist_system.pending_notification where resend_job = $1',
    [job],
  );
  return rows[0].count;
}

/** Connections with the settings of delivery. To be called at the top of a test file or of a `describe`. */
export function useQueueDatabase({ database: { url } }: Pick<TestService, 'database'>): Database {
  const observe = () => undefined;
  const database = new Database({ url, observe, connectionsMax: 4, statementTimeoutMs: 30_000, isForQueues: true });
  afterAll(() => database.close());
  return database;
}

export const notificationType = buildModel(catalogue).types.get('WebhookNotification')!;

/** Selects everything of a subscription. */
export function allOf(subscriptionKey: number | null): ReplaySelection {
  const unlimited = { userKey: null, from: null, to: null, notifications: null, objectKey: null, status: null };
  return { ...unlimited, subscriptionKey, filters: [] };
}

/** One step of the resend loop. */
export function advance(
  database: Database,
  job: number | null,
  observe: Observe = () => undefined,
): Promise<ResendStep> {
  return advanceResend({ database, observe, notificationType }, job!);
}

/** As a process that is killed after it has taken up a batch of the job, and before COMMIT. */
export async function dieTaking(database: Database, job: number, take: Statement): Promise<void> {
  const dying = database.transaction({ userKey: undefined, client: 'test' }, async ({ run }) => {
    await run(lockProgress(job, 1_000), take);
    throw new Error('killed');
  });
  await expect(dying).rejects.toThrow('killed');
}
