// Resends as jobs: progress, cancelling, several processes, and who may see and change them.

import { describe, expect, test } from 'vitest';
import { takeFailed } from '../../src/deliver/resend/resend-progress-table.ts';
import { startBeside } from '../auth/service-beside.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { useTestService } from '../support/test-service.ts';
import {
  countIn,
  deactivate,
  ended,
  jobOf,
  resent,
  stateOf,
  storedOf,
  storeFailed,
  subscribeTo,
  subscriptions,
} from './failed-notifications.ts';
import { advance, changeJob, dieTaking, pendingOf, resendSettings, useQueueDatabase } from './resend-jobs.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const pending = 'flaghoist_system.pending_notification';

describe('a service that delivers', () => {
  const service = useTestService(resendSettings);

  test('FLT-43: 3,000 are sent each once, and no more than 1,000 of them are pending at a time', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    const ids = await storeFailed(service, key, 3_000);
    const { total, job } = await resent(service, key);
    expect(total).toBe(3_000);
    let most = 0;
    const look = async () => {
      most = Math.max(most, await pendingOf(service, job));
      const { status, done, failed } = await jobOf(service, job);
      expect(done + failed).toBeLessThanOrEqual(3_000);
      return status;
    };
    await expect.poll(look, { timeout: 100_000, interval: 50 }).toBe('DONE');
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(1_000);
    expect(await jobOf(service, job)).toMatchObject({ status: 'DONE', total: 3_000, done: 3_000, failed: 0 });
    expect(receiver.deliveries).toHaveLength(3_000);
    expect(new Set(receiver.taken())).toEqual(new Set(ids));
    expect(await countIn(service, 'flaghoist_system.resend_progress')).toBe(0);
  }, 120_000);

  test('it is not made or deleted by callers: 405, and no word about it in the description', async () => {
    for (const [answer, allow] of [
      [await service.post('/ws/rest/ResendJob', { total: 1 }), 'GET, HEAD, OPTIONS'],
      [await service.delete('/ws/rest/ResendJob/1'), 'GET, HEAD, PUT, OPTIONS'],
    ] as const) {
      expectErrorBody(answer, 405);
      expect(answer.headers.get('allow')).toBe(allow);
    }
    for (const [path, allow] of [
      ['', 'GET, HEAD, OPTIONS'],
      ['/1', 'GET, HEAD, PUT, OPTIONS'],
    ]) {
      const headers = { authorization: `Bearer ${service.token()}` };
      const options = await fetch(`${service.url()}/ws/rest/ResendJob${path}`, { method: 'OPTIONS', headers });
      expect(options.headers.get('allow')).toBe(allow);
    }
    const { paths, components } = (await service.get('/openapi.json')).body;
    expect(Object.keys(paths['/ws/rest/ResendJob'])).toEqual(['parameters', 'get']);
    expect(Object.keys(paths['/ws/rest/ResendJob/{key}'])).toEqual(['parameters', 'get', 'put']);
    expect(Object.keys(components.schemas).filter((name) => name.startsWith('ResendJob'))).not.toContain(
      'ResendJobCreate',
    );
    const docs = (await service.get('/docs')).text;
    const section = docs.slice(docs.indexOf('id="type-ResendJob"'));
    const shown = section.slice(0, section.indexOf('</section>'));
    expect(shown).not.toContain('POST');
    expect(shown).not.toContain('DELETE');
    expect(shown).toContain('PUT');
  });

  test('nothing but its cancellation can be written, and what is sent back unchanged is fine', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    await storeFailed(service, key, 1);
    const { job } = await resent(service, key);
    const done = await ended(service, job);
    expect((await changeJob(service, job, done)).status).toBe(200);
    for (const wrong of [
      { total: 7 },
      { status: 'RUNNING' },
      { done: 0 },
      { subscription: null },
      { notifications: [1] },
      { endedDate: null },
      { externalObjectKey: 'mine' },
      { user: 1 },
    ]) {
      const answer = await changeJob(service, job, wrong);
      expectErrorBody(answer, 400);
      expect(answer.body.violations[0].path).toBe(Object.keys(wrong)[0]);
    }
    expect(await jobOf(service, job)).toEqual(done);
  });

  test('one that is done, or cancelled already, cannot be cancelled: 409', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    await storeFailed(service, key, 1);
    const { job } = await resent(service, key);
    await ended(service, job);
    const late = await changeJob(service, job, { cancelled: true });
    expectErrorBody(late, 409);
    expect(late.body.message).toBe('The resend is done and can no longer be cancelled.');
    expect((await jobOf(service, job)).cancelled).toBe(false);

    receiver.status = 0;
    await storeFailed(service, key, 1);
    const { job: second } = await resent(service, key);
    expect((await changeJob(service, second, { cancelled: false })).body.status).toBe('RUNNING');
    expect((await changeJob(service, second, { cancelled: true })).body).toMatchObject({
      status: 'CANCELLED',
      cancelled: true,
    });
    expectErrorBody(await changeJob(service, second, { cancelled: true }), 409);
    expectErrorBody(await changeJob(service, second, { cancelled: false }), 409);
    receiver.letGo(200);
  });

  test('another user neither sees nor cancels it', async () => {
    const [owner, other] = [
      await createClient(service, ['read', 'webhook']),
      await createClient(service, ['read', 'webhook']),
    ];
    const receiver = await startSwitchedReceiver(0);
    const key = await subscribeTo(service, receiver.url, {}, owner);
    await storeFailed(service, key, 1);
    const { job } = await resent(service, key, {}, owner);
    expectErrorBody(await service.get(`/ws/rest/ResendJob/${job}`, other.headers), 404);
    expectErrorBody(await changeJob(service, job, { cancelled: true }, other.headers), 404);
    expect((await service.get('/ws/rest/ResendJob', other.headers)).body).toEqual([]);
    expect((await service.get('/ws/rest/ResendJob', owner.headers)).body).toHaveLength(1);
    expect((await changeJob(service, job, { cancelled: true }, owner.headers)).status).toBe(200);
    receiver.letGo(200);
  });

  test('cancelled, what is under way may finish and everything else stays failed, to be sent by another', async () => {
    const receiver = await startSwitchedReceiver(0);
    const key = await subscribeTo(service, receiver.url);
    await deactivate(service, key);
    const ids = await storeFailed(service, key, 3_000);
    const { job } = await resent(service, key);
    await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBeGreaterThan(0);
    expect((await changeJob(service, job, { cancelled: true })).body).toMatchObject({
      status: 'CANCELLED',
      total: 3_000,
    });
    const begun = new Set(receiver.deliveries.map(({ id }) => id));
    const underWay = (await storedOf(service, key)).filter(({ id }) => begun.has(id));
    expect(new Set(underWay.map(({ status }) => status))).toEqual(new Set(['PENDING']));
    receiver.letGo(500);
    await expect.poll(() => countIn(service, 'flaghoist_system.resend_progress'), { timeout: 20_000 }).toBe(0);
    expect(await countIn(service, `${pending} where subscription_key = ${key}`)).toBe(0);
    const stored = await storedOf(service, key);
    expect(stored).toHaveLength(ids.length);
    expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(['FAILED']));
    const untouched = stored.filter(({ id }) => !receiver.deliveries.some((each) => each.id === id));
    expect(untouched.length).toBeGreaterThan(1_000);
    expect(begun.size).toBeLessThan(1_000);
    expect(stored.filter(({ errorMessage }) => errorMessage === 'The resend was cancelled.').length).toBeGreaterThan(0);
    const cancelled = await jobOf(service, job);
    expect(cancelled.endedDate).toMatch(/^\d{4}-/);
    expect(cancelled).toMatchObject({ status: 'CANCELLED', total: 3_000, done: 0 });
    expect((await resent(service, key, { dryRun: true })).total).toBe(3_000);
    expect(await stateOf(service, key)).toBe('DEACTIVATED');
  }, 60_000);

  test('unsubscribing ends it: what is left of it stays failed', async () => {
    const receiver = await startSwitchedReceiver(0);
    const key = await subscribeTo(service, receiver.url);
    await storeFailed(service, key, 1_500);
    const { job } = await resent(service, key);
    await expect.poll(() => receiver.deliveries.length, { timeout: 5_000 }).toBeGreaterThan(0);
    expect((await service.put(`${subscriptions}/${key}`, { unsubscribed: true })).status).toBe(200);
    expect(await ended(service, job)).toMatchObject({ status: 'CANCELLED', total: 1_500, done: 0, cancelled: false });
    receiver.letGo(500);
    await expect.poll(() => countIn(service, 'flaghoist_system.resend_progress'), { timeout: 10_000 }).toBe(0);
    expect(await countIn(service, `${pending} where subscription_key = ${key}`)).toBe(0);
    expect(new Set((await storedOf(service, key)).map(({ status }) => status))).toEqual(new Set(['FAILED']));
  });

  test('a notification that has arrived after all is not sent again', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    const [first] = await storeFailed(service, key, 3);
    await service.database.pool.query(
      `update flaghoist_service.webhook_notification set status = 'DELIVERED' where id = $1`,
      [first],
    );
    const { job } = await resent(service, key);
    expect(await ended(service, job)).toMatchObject({ status: 'DONE', total: 2, done: 2, failed: 0 });
    expect(receiver.taken()).not.toContain(first);
    expect((await resent(service, key)).total).toBe(0);
  });
});

describe('a service that takes requests only', () => {
  const service = useTestService({ ...resendSettings, FLAGHOIST_ROLES: 'api' });
  const database = useQueueDatabase(service);

  test('whoever dies in the middle of a batch leaves nothing behind, and the job goes on where it was', async () => {
    const receiver = await startSwitchedReceiver();
    const key = await subscribeTo(service, receiver.url);
    const ids = await storeFailed(service, key, 1_200);
    const { job } = await resent(service, key);
    expect(await advance(database, job)).toEqual({ moved: 500, isMore: true });
    expect(await pendingOf(service, job)).toBe(500);
    await dieTaking(database, job!, takeFailed(job!, 500));
    expect(await pendingOf(service, job)).toBe(500);
    expect((await storedOf(service, key)).filter(({ status }) => status === 'PENDING')).toHaveLength(500);
    expect((await advance(database, job)).moved).toBe(500);
    // Full: the rest waits.
    expect(await advance(database, job)).toEqual({ moved: 0, isMore: false });
    expect(await pendingOf(service, job)).toBe(1_000);
    const stored = await storedOf(service, key);
    expect(stored.map(({ status }) => status)).toEqual([...Array(1_000).fill('PENDING'), ...Array(200).fill('FAILED')]);

    await startBeside(service.database, { ...resendSettings, FLAGHOIST_ROLES: 'worker' });
    expect(await ended(service, job, 20_000)).toMatchObject({ status: 'DONE', total: 1_200, done: 1_200 });
    expect(receiver.deliveries.map(({ id }) => id).sort()).toEqual([...ids].sort());
  }, 60_000);

  test('what fails after it was asked for is not taken, although its place is yet to come', async () => {
    const key = await subscribeTo(service, 'http://127.0.0.1:9/hook');
    await storeFailed(service, key, 700);
    const { job } = await resent(service, key);
    expect((await advance(database, job)).moved).toBe(500);
    const later = await storeFailed(service, key, 5);
    for (let count = 0; count < 3; count += 1) await advance(database, job);
    expect(await pendingOf(service, job)).toBe(700);
    const failed = (await storedOf(service, key)).filter(({ status }) => status === 'FAILED');
    expect(failed.map(({ id }) => id)).toEqual(later);
    expect((await resent(service, key, { dryRun: true })).total).toBe(5);
  });

  test('two that are at it at once do not get in each other’s way', async () => {
    const key = await subscribeTo(service, 'http://127.0.0.1:9/hook');
    await storeFailed(service, key, 600);
    const { job } = await resent(service, key);
    const rounds = await Promise.all([1, 2, 3, 4].map(() => advance(database, job)));
    // One at a time; who finds another at work does nothing.
    expect(rounds.reduce((sum, { moved }) => sum + moved, 0)).toBe(await pendingOf(service, job));
    for (let count = 0; count < 3; count += 1) await advance(database, job);
    expect(await pendingOf(service, job)).toBe(600);
    expect((await changeJob(service, job, { cancelled: true })).status).toBe(200);
    expect(await pendingOf(service, job)).toBe(0);
    expect(new Set((await storedOf(service, key)).map(({ errorMessage }) => errorMessage))).toEqual(
      new Set(['The resend was cancelled.']),
    );
  });

  test('cancelling gives 1,000 back at once and the rest by and by, and no batch comes after it', async () => {
    const key = await subscribeTo(service, 'http://127.0.0.1:9/hook');
    await storeFailed(service, key, 2_500);
    const { job } = await resent(service, key);
    for (let count = 0; count < 2; count += 1) await advance(database, job);
    // As if there had been more room.
    for (let count = 0; count < 2; count += 1) await database.run(takeFailed(job!, 500));
    expect(await pendingOf(service, job)).toBe(2_000);
    await changeJob(service, job, { cancelled: true });
    expect(await pendingOf(service, job)).toBe(1_000);
    await advance(database, job);
    expect(await pendingOf(service, job)).toBe(500);
    for (let count = 0; count < 3; count += 1) await advance(database, job);
    expect(await pendingOf(service, job)).toBe(0);
    expect(await countIn(service, `flaghoist_system.resend_progress where job_key = ${job}`)).toBe(0);
    expect((await resent(service, key, { dryRun: true })).total).toBe(2_500);
    expect(await jobOf(service, job)).toMatchObject({ status: 'CANCELLED', total: 2_500, done: 0, failed: 0 });
  });
});
