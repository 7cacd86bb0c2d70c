// A short run of the order endurance. Its balance can fail: each kind of mistake, made on purpose, is found.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { balanceOrder, type OrderLedger } from '../../endurance/order/order-ledger.ts';
import type { OrderRecord } from '../../endurance/order/order-table.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('kill -9 of processes, database and receiver changes no order and loses nothing', {
  timeout: 400_000,
}, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const plan = ['--objects', '10', '--changes', '500', '--kills', '5', '--results', results];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', ['order', ...plan]);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, 'order.md'), 'utf8');
    expect(report).toContain('**Every first arrival was in order, and nothing was lost**: 5 kills, 10 objects');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});

describe('the balance', () => {
  const record = (sequence: number, more: Partial<OrderRecord> = {}): OrderRecord => ({
    ...{ sequence, object: 7, id: `${sequence}-9`, status: 'DELIVERED', attempts: 1 },
    ...more,
  });
  const arrive = (...ids: string[]) => ids.map((id) => ({ id, isAccepted: true }));
  const ledger: OrderLedger = { records: [record(1), record(2)], arrivals: arrive('1-9', '2-9'), attemptsMax: 6 };

  test.each<[string, Partial<OrderLedger>, string | undefined]>([
    ['in order', {}, undefined],
    ['a repeat out of order', { arrivals: arrive('1-9', '2-9', '1-9') }, undefined],
    ['a first arrival out of order', { arrivals: arrive('2-9', '1-9') }, 'wrong order'],
    [
      'another object out of order',
      { records: [record(1), record(2, { object: 8 })], arrivals: arrive('2-9', '1-9') },
      undefined,
    ],
    ['not known', { records: [record(1)] }, 'notification too many'],
    ['no notification', { records: [record(1, { id: null, status: null })], arrivals: [] }, 'notification missing'],
    ['still pending', { records: [record(1), record(2, { status: 'PENDING' })] }, 'notification left'],
    ['delivered, and nobody has it', { arrivals: arrive('1-9') }, 'delivered to nobody'],
    [
      'delivered, and refused',
      { arrivals: [...arrive('1-9'), { id: '2-9', isAccepted: false }] },
      'delivered to nobody',
    ],
    ['failed too soon', { records: [record(1), record(2, { status: 'FAILED' })] }, 'failed without cause'],
    ['failed after all attempts', { records: [record(1), record(2, { status: 'FAILED', attempts: 6 })] }, undefined],
  ])('%s', (_, more, kind) => {
    expect(balanceOrder({ ...ledger, ...more }).findings[0]?.kind).toBe(kind);
  });
});
