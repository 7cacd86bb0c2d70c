// A short run of the delivery endurance. Its balance can fail: each kind of loss, caused on purpose, is found.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  balanceDeliveries,
  type DeliveryLedger,
  type Ending,
  judgeEnded,
} from '../../endurance/delivery/delivery-ledger.ts';
import type { NotificationRecord, SubscriptionRecord } from '../../endurance/delivery/delivery-table.ts';
import type { Arrival, Received } from '../../endurance/delivery/receivers.ts';
import type { FoundChange, RunSubscription } from '../../endurance/matching/matching-subscriptions.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

/** Kills each of the four once. */
const seedOfOneEach = '64';

test('kill -9 of processes and database loses no notification, nor does a process that hangs', {
  timeout: 400_000,
}, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const plan = ['--kills', '5', '--halts', '1', '--clients', '1', '--seed', seedOfOneEach, '--results', results];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', ['delivery', ...plan]);
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(stderr).toMatch(/seed \d+/);
    const report = await readFile(join(results, 'delivery.md'), 'utf8');
    expect(stdout).toContain(report);
    expect(report).toContain('**Nothing was lost**: 5 kills, 1 halts');
    for (const victim of ['api and worker', 'worker', 'PostgreSQL', 'a session of PostgreSQL'])
      expect(report).toMatch(new RegExp(`\\| ${victim} +\\| [1-9]`));
    expect(report).toMatch(/delivered, and received +\| [1-9]/);
    expect(report).toMatch(/… left +\| 0 /);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});

describe('the balance', () => {
  const arrival = (said: Arrival['said'] = '200', at = 10_000): Arrival => ({ at, said });
  const sent = (...arrivals: Arrival[]): Received => ({ receiver: 0, digest: 'd', isSame: true, arrivals });
  const record = (more: Partial<NotificationRecord> = {}): NotificationRecord => ({
    ...{ id: '1-2', subscription: 7, status: 'DELIVERED', error: null, attempts: 1, logged: 1, digest: 'd' },
    ...more,
  });
  const subscription = (more: Partial<SubscriptionRecord> = {}): SubscriptionRecord => ({
    ...{
      key: 7,
      url: 'http://127.0.0.1/',
      state: 'ACTIVE',
      doNotUnsubscribe: false,
      deactivations: 0,
      deactivatedMs: null,
    },
    ...more,
  });
  const ledger: DeliveryLedger = {
    records: [record()],
    subscriptions: [subscription()],
    received: new Map([['1-2', sent(arrival())]]),
    interruptions: [],
    unsubscribedAt: new Map(),
    alerts: new Map(),
    attemptsMax: 6,
    inFlightMax: 10,
  };
  const usedUp = record({ status: 'FAILED', error: 'No.', attempts: 6, logged: 6 });
  const deactivated = subscription({ state: 'DEACTIVATED', deactivations: 1, deactivatedMs: 20_000 });
  const ended: Partial<DeliveryLedger> = {
    records: [usedUp],
    subscriptions: [deactivated],
    received: new Map([['1-2', sent(arrival('500'))]]),
    alerts: new Map([[7, 1]]),
  };
  const twice = new Map([['1-2', sent(arrival(), arrival('200', 12_000))]]);

  test.each<[string, Partial<DeliveryLedger>, string | undefined]>([
    ['delivered', {}, undefined],
    ['delivered, and nobody has it', { received: new Map() }, 'delivered to nobody'],
    ['delivered, and refused', { received: new Map([['1-2', sent(arrival('500'))]]) }, 'delivered to nobody'],
    ['still pending', { records: [record({ status: 'PENDING', attempts: 0, logged: 0 })] }, 'notification left'],
    ['not known', { records: [] }, 'notification too many'],
    ['other bytes than are stored', { records: [record({ digest: 'e' })] }, 'wrong body'],
    [
      'other bytes the second time',
      { received: new Map([['1-2', { ...sent(arrival()), isSame: false }]]) },
      'wrong body',
    ],
    ['an attempt that is not in the log', { records: [record({ attempts: 2 })] }, 'wrong attempts'],
    ['too many attempts', { records: [record({ attempts: 8, logged: 8 })] }, 'wrong attempts'],
    ['too many that failed', { ...ended, records: [{ ...usedUp, attempts: 8, logged: 8 }] }, 'wrong attempts'],
    ['twice, for no reason', { received: twice }, 'sent again without cause'],
    ['twice, after a kill', { received: twice, interruptions: [{ from: 10_500, until: 10_600 }] }, undefined],
    [
      'twice, long before a kill',
      { received: twice, interruptions: [{ from: 30_000, until: 30_100 }] },
      'sent again without cause',
    ],
    ['again after a late answer', { received: new Map([['1-2', sent(arrival('late'), arrival())]]) }, undefined],
    ['failed, and its subscription deactivated', ended, undefined],
    [
      'failed, and its subscription goes on',
      { ...ended, subscriptions: [subscription()], alerts: new Map() },
      'failed without cause',
    ],
    ['failed without a reason', { ...ended, records: [{ ...usedUp, error: null }] }, 'failed without cause'],
    [
      'failed too soon, where it is never deactivated',
      {
        ...ended,
        records: [{ ...usedUp, attempts: 2, logged: 2 }],
        subscriptions: [subscription({ doNotUnsubscribe: true })],
        alerts: new Map(),
      },
      'failed without cause',
    ],
    ['deactivated without an alert', { ...ended, alerts: new Map() }, 'wrong alert'],
    ['an alert, and not deactivated', { alerts: new Map([[7, 1]]) }, 'wrong alert'],
    ['deactivated twice', { ...ended, subscriptions: [{ ...deactivated, deactivations: 2 }] }, 'wrong alert'],
    [
      'deactivated against its wish',
      { ...ended, subscriptions: [{ ...deactivated, doNotUnsubscribe: true }] },
      'wrong alert',
    ],
    ['deactivated for nothing', { ...ended, records: [{ ...usedUp, attempts: 2, logged: 2 }] }, 'wrong alert'],
    [
      'sent after it was deactivated',
      { ...ended, received: new Map([['1-2', sent(arrival('500', 25_000))]]) },
      'sent after the end',
    ],
    ['sent a moment after that', { ...ended, received: new Map([['1-2', sent(arrival('500', 22_000))]]) }, undefined],
    [
      'sent after it was unsubscribed',
      { subscriptions: [subscription({ state: 'UNSUBSCRIBED' })], unsubscribedAt: new Map([[7, 1_000]]) },
      'sent after the end',
    ],
  ])('%s: %j', (_, more, kind) => {
    expect(balanceDeliveries({ ...ledger, ...more }).findings[0]?.kind).toBe(kind);
  });
});

describe('a subscription that was unsubscribed', () => {
  const own: RunSubscription = {
    ...{ key: 7, type: 'Vessel', operation: 'U', objectKey: 15, onlyMainObject: false, notSendMyChanges: false },
    condition: 'always',
  };
  const change = (id: number): FoundChange => ({
    ...{ id, type: 'Vessel', operation: 'U', key: 15, isOwn: true, mark: 'c0-5', owners: [] },
  });
  const notified = (eventId: number) => ({ id: `${eventId}-1`, eventId, name: '7 15' });
  const ending: Ending = { subscription: own, matched: 5_000, last: 5_200 };
  const judge = (changes: number[], notifications: number[]) =>
    judgeEnded([ending], {
      changes: changes.map(change),
      notifications: notifications.map(notified),
      hearers: { voyageOf: new Map(), ordersAt: new Map() },
    }).map(({ kind }) => kind);

  test.each<[string, number[], number[], string[]]>([
    ['heard of what was matched before', [100], [100], []],
    ['did not hear of what was matched before', [100], [], ['notification missing']],
    ['heard of it twice', [100], [100, 100], ['notification twice']],
    ['may have heard of what was not matched then', [5_100], [5_100], []],
    ['or not', [5_100], [], []],
    ['heard of what came later', [9_000], [9_000], ['notification too many']],
  ])('%s', (_, changes, notifications, kinds) => {
    expect(judge(changes, notifications)).toEqual(kinds);
  });
});
