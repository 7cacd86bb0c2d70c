// A short run of the matching endurance. Its balance can fail: each kind of loss, caused on purpose, is found.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { balance, type Ledger } from '../../endurance/matching/matching-ledger.ts';
import type { BookedChange } from '../../endurance/matching/matching-load.ts';
import {
  expectedOf,
  type FoundChange,
  hearersIn,
  type RunSubscription,
} from '../../endurance/matching/matching-subscriptions.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('kill -9 of one of two matching processes loses no notification and doubles none, nor does one that hangs', {
  timeout: 300_000,
}, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const plan = ['--kills', '3', '--halts', '1', '--clients', '3'];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', [
      'matching',
      ...plan,
      '--results',
      results,
    ]);
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(stderr).toMatch(/seed \d+/);
    const report = await readFile(join(results, 'matching.md'), 'utf8');
    expect(stdout).toContain(report);
    expect(report).toContain('**None missing, none twice**: 3 kills');
    // Claimed until the lease expired, then matched by the other process.
    expect(report).toMatch(/\| 1 +\| [1-9]\d* +\| \d+,\d{3} +\|/);
    expect(report).toMatch(/\| all +\| [1-9]/);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});

const world = {
  bunkerType: 1,
  clients: [{ voyage: 10, portCalls: [11, 12] as const, bunkerOrders: [13, 14] as const, vessel: 15 }],
};
const hearers = hearersIn(world);

function subscription(key: number, eventType: string, more: Partial<RunSubscription> = {}): RunSubscription {
  const [type, operation, objectKey] = eventType.split('.');
  return {
    key,
    type: type!,
    operation: operation as 'C' | 'U' | 'D',
    objectKey: objectKey === undefined ? null : Number(objectKey),
    onlyMainObject: false,
    notSendMyChanges: false,
    condition: 'always',
    ...more,
  };
}

function change(id: number, more: Partial<FoundChange> = {}): FoundChange {
  return { id, type: 'EventLog', operation: 'C', key: 20, isOwn: true, mark: 'c0-5', owners: [11], ...more };
}

describe('who must be notified', () => {
  test.each<[string, Partial<RunSubscription>, Partial<FoundChange>, string[]]>([
    ['EventLog.C', {}, {}, ['1 20']],
    ['EventLog.C', { notSendMyChanges: true }, {}, []],
    ['EventLog.C', { notSendMyChanges: true }, { isOwn: false }, ['1 20']],
    ['EventLog.C', { condition: 'ends in 7' }, {}, []],
    ['EventLog.C', { condition: 'ends in 7' }, { mark: 'c0-17' }, ['1 20']],
    ['EventLog.C', { condition: 'fails' }, {}, []],
    ['EventLog.U', {}, {}, []],
    ['PortCall.U', {}, {}, ['1 11']],
    ['PortCall.U', { onlyMainObject: true }, {}, []],
    ['PortCall.U.12', {}, {}, []],
    ['PortCall.U', {}, { operation: 'U', owners: [11, 12] }, ['1 11', '1 12']],
    ['Voyage.U', {}, { operation: 'U', owners: [11, 12] }, ['1 10']],
    ['BunkerOrder.U', {}, {}, ['1 13', '1 14']],
    ['BunkerOrder.U', {}, { owners: [12] }, []],
    ['BunkerOrder.U', {}, { type: 'PortCall', operation: 'U', key: 11, owners: [10] }, ['1 13', '1 14']],
    ['BunkerOrder.U', {}, { type: 'BunkerOrderLine', operation: 'D', owners: [13] }, ['1 13']],
    ['Vessel.U', { marksBefore: 5 }, { type: 'Vessel', operation: 'U', key: 15, owners: [] }, []],
    ['Vessel.U', { marksBefore: 4 }, { type: 'Vessel', operation: 'U', key: 15, owners: [] }, ['1 15']],
  ])('%s %j, change %j: %j', (eventType, more, changed, expected) => {
    expect(expectedOf(change(1, changed), [subscription(1, eventType, more)], hearers)).toEqual(expected);
  });
});

describe('the balance', () => {
  const booked = (outcome: BookedChange['outcome'], mark = 'c0-5'): BookedChange => ({
    name: 'POST EventLog',
    marks: [mark],
    isDeletion: false,
    outcome,
  });
  const notified = (key: number, name = '1 20', eventId = 1) => ({ id: `${eventId}-${key}`, eventId, name });
  const ledger: Ledger = {
    booked: [booked('accepted')],
    changes: [change(1)],
    notifications: [notified(100)],
    subscriptions: [subscription(1, 'EventLog.C')],
    hearers,
  };

  test.each<[string, Partial<Ledger>, string | undefined]>([
    ['all is there, once', {}, undefined],
    ['an accepted change is not there', { changes: [], notifications: [] }, 'lost change'],
    ['a change is there that was not made', { booked: [booked('not made')] }, 'refused change made'],
    ['a change in doubt is there', { booked: [booked('unknown')] }, undefined],
    ['a change in doubt is not there', { booked: [booked('unknown')], changes: [], notifications: [] }, undefined],
    ['nobody is notified', { notifications: [] }, 'notification missing'],
    ['somebody is notified twice', { notifications: [notified(100), notified(101)] }, 'notification twice'],
    ['two have the same id', { notifications: [notified(100), notified(100)] }, 'notification twice'],
    ['the wrong one is notified', { notifications: [notified(100), notified(101, '2 20')] }, 'notification too many'],
    [
      'of a change that is not there',
      { notifications: [notified(100), notified(101, '1 20', 2)] },
      'notification too many',
    ],
  ])('%s', (_, more, kind) => {
    expect(balance({ ...ledger, ...more }).findings[0]?.kind).toBe(kind);
  });

  test('a subscription created after a change may be notified of it only if the response was lost', () => {
    const late: Partial<Ledger> = {
      changes: [change(1, { type: 'Vessel', operation: 'U', key: 15, owners: [] })],
      subscriptions: [subscription(1, 'Vessel.U.15', { marksBefore: 5 })],
      notifications: [notified(100, '1 15')],
    };
    expect(balance({ ...ledger, ...late }).findings[0]?.kind).toBe('notification too many');
    expect(balance({ ...ledger, ...late, booked: [booked('unknown')] }).findings).toEqual([]);
  });
});
