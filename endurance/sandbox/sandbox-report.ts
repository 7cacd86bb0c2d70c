// Renders the result of a run of the sandbox endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import { type Footprint, memoryGrowthMax } from './sandbox-books.ts';
import type { RunSubscription } from './sandbox-subscriptions.ts';
import type { Account } from './sandbox-table.ts';

export interface SandboxResult {
  minutes: number;
  perSecond: number;
  changes: number;
  subscriptions: readonly (RunSubscription & { key: number })[];
  accounts: readonly Account[];
  footprint: Footprint;
  /** How long it took after the last change until all work was done. */
  settledMs: number;
  findings: Finding[];
  facts: MachineFacts;
}

export function renderSandbox(result: SandboxResult): string {
  const { subscriptions, accounts, findings, facts, changes } = result;
  const pairs = accounts.reduce((sum, { due }) => sum + due, 0);
  const verdict =
    findings.length === 0
      ? `**None lost, none twice**: ${renderNumber(changes)} changes, ${renderNumber(pairs)} pairs ` +
        'of change and subscription.'
      : `**FAILED: ${findings.length} findings.**`;
  const scripts = subscriptions.filter(({ script }) => script !== undefined);
  const stylesheets = subscriptions.filter(({ stylesheet }) => stylesheet !== undefined);
  const parts = [
    '# Endurance: hostile scripts and stylesheets',
    verdict,
    `${result.perSecond} changes per second for ${result.minutes} minutes, by SQL, of voyages that all subscribe to; ` +
      'one worker. The hostile ones get one change per minute each, because a lane with timeouts pauses for up ' +
      `to a minute. ${scripts.length} scripts, of which ${hostileOf(scripts)} are hostile, and ` +
      `${stylesheets.length} stylesheets, of which ${hostileOf(stylesheets)} are. After the last change all work ` +
      `was done in ${renderNumber(result.settledMs)} ms.`,
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Ledger',
    'The result of every change for every subscription to it, derived from the changed rows alone. ' +
      'Failed: with the reason.',
    renderAccounts(result),
    '## The worker',
    renderFootprint(result.footprint),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function hostileOf(some: readonly RunSubscription[]): number {
  return some.filter(({ isHostile }) => isHostile).length;
}

const columns = ['due', 'delivered', 'suppressed', 'scriptFailed', 'failed', 'other', 'missing', 'double'] as const;

function renderAccounts({ subscriptions, accounts }: SandboxResult): string {
  const kinds = [...new Set(subscriptions.map(({ kind }) => kind))];
  const row = (name: string, some: readonly Account[]) => [
    name,
    ...columns.map((column) => renderNumber(some.reduce((sum, account) => sum + account[column], 0))),
  ];
  const kindOf = new Map(subscriptions.map(({ key, kind }) => [key, kind]));
  const rows = kinds.map((kind) =>
    row(
      kind,
      accounts.filter(({ subscription }) => kindOf.get(subscription) === kind),
    ),
  );
  return renderTable({
    columns: [
      'Subscriptions with',
      'Due',
      'Delivered',
      'Held back',
      'Held back, script failed',
      'Failed',
      'Other',
      'Missing',
      'Twice',
    ],
    rows: [...rows, row('all', accounts)],
  });
}

function renderFootprint(footprint: Footprint): string {
  const { firstMb, lastMb, maxMb, threadsIdle, threadsMax, threadsEnd } = footprint;
  return renderTable({
    columns: ['', ''],
    rows: [
      ['memory (RSS), median of the first fifth after the warm-up, MB', renderNumber(firstMb)],
      [`memory, median of the last fifth (at most ${memoryGrowthMax} times that), MB`, renderNumber(lastMb)],
      ['peak memory, MB', renderNumber(maxMb)],
      ['threads before the first change', renderNumber(threadsIdle)],
      ['peak threads', renderNumber(threadsMax)],
      ['threads at the end', renderNumber(threadsEnd)],
    ],
  });
}
