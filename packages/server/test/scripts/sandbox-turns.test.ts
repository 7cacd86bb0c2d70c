// Saving and testing scripts: a slow script delays no other user, and if there are too many, the request is rejected
// with the advice to try again.

import { PoolBusy } from '@flaghoist/thread-pool';
import { expect, test } from 'vitest';
import { SandboxTurns } from '../../src/scripts/sandbox-turns.ts';
import { makeScript } from '../shape/shaped.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });

test('one per user at a time, in order of arrival', async () => {
  const turns = new SandboxTurns();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((end) => ends.push(end));
  };
  const all = [turns.take(1, work('a')), turns.take(1, work('b')), turns.take(2, work('c'))];
  await expect.poll(() => begun).toEqual(['a', 'c']);
  ends[0]!();
  await all[0];
  await expect.poll(() => begun).toEqual(['a', 'c', 'b']);
  for (const end of ends) end();
  await Promise.all(all);
});

test('a failure ends the turn, and a busy sandbox is reported as busy', async () => {
  const turns = new SandboxTurns();
  await expect(turns.take(1, () => Promise.reject(new PoolBusy('full')))).rejects.toMatchObject({ code: 'busy' });
  await expect(turns.take(1, () => Promise.reject(new Error('other')))).rejects.toThrow('other');
  expect(await turns.take(1, () => Promise.resolve(7))).toBe(7);
});

test('a user who tests many endless scripts at once does not delay the saves of another user', {
  timeout: 60_000,
}, async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Tried' });
  const endless = await makeScript(service, 'for (;;);');
  const { headers } = await createClient(service, ['write', 'webhook']);
  const subscription = { eventType: 'Vessel.U', url: 'http://127.0.0.1:9/', dlpAlertScript: endless.code };
  let running = 0;
  const tries = Array.from({ length: 12 }, async () => {
    running += 1;
    const answer = await service.post(
      '/ws/rest/WebhookSubscription/test',
      { subscription, objectKey: vessel.key },
      headers,
    );
    running -= 1;
    return answer;
  });
  // Those that are too many are refused at once.
  await expect.poll(() => running, { timeout: 10_000, interval: 5 }).toBeLessThanOrEqual(5);
  await makeScript(service, 'return true;');
  expect(running).toBeGreaterThan(1);
  const answers = await Promise.all(tries);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(5);
  for (const answer of refused) {
    expect(expectErrorBody(answer, 503).message).toContain('of yours');
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect(refused).not.toEqual([]);
});
