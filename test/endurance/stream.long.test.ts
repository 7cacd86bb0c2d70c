// A short run of the stream endurance. Its balance can fail: each kind of loss, caused on purpose, is found.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { balanceStream, type StreamLedger } from '../../endurance/stream/stream-ledger.ts';
import type { StreamRecord } from '../../endurance/stream/stream-table.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test.each(['node', 'curl'])(
  'kill -9 of the consumer, processes and database loses nothing: %s',
  {
    timeout: 400_000,
  },
  async (consumer) => {
    const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
    try {
      const plan = ['--kills', '5', '--process-kills', '2', '--database-kills', '1', '--changes', '1000'];
      const args = ['stream', '--consumer', consumer, ...plan, '--results', results];
      const { code, stdout, stderr } = await runCompiled('endurance/main.js', args);
      expect(code, `${stdout}${stderr}`).toBe(0);
      const report = await readFile(join(results, consumer === 'node' ? 'stream.md' : `stream-${consumer}.md`), 'utf8');
      expect(report).toContain('**Every notification arrived, and none was acknowledged without being written down**');
      expect(report).toMatch(/\| PostgreSQL +\| 1 /);
    } finally {
      await rm(results, { recursive: true, force: true });
    }
  },
);

describe('the balance', () => {
  const record = (sequence: number, more: Partial<StreamRecord> = {}): StreamRecord => ({
    ...{ sequence, id: `${sequence}-9`, status: 'DELIVERED' },
    ...more,
  });
  const ledger: StreamLedger = { records: [record(1), record(2)], taken: ['1-9', '2-9'] };

  test.each<[string, Partial<StreamLedger>, string | undefined]>([
    ['all taken and delivered', {}, undefined],
    ['taken twice', { taken: ['1-9', '2-9', '1-9'] }, undefined],
    ['delivered, and not taken', { taken: ['1-9'] }, 'delivered to nobody'],
    ['not known', { records: [record(1)] }, 'notification too many'],
    ['no notification', { records: [record(1), record(2, { id: null, status: null })] }, 'notification missing'],
    ['still pending', { records: [record(1), record(2, { status: 'PENDING' })] }, 'notification left'],
    ['failed', { records: [record(1), record(2, { status: 'FAILED' })] }, 'notification left'],
  ])('%s', (_, more, kind) => {
    expect(balanceStream({ ...ledger, ...more }).findings[0]?.kind).toBe(kind);
  });
});
