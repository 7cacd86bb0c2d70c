// Renders the result of a run of the NATS endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { NatsBalance } from './nats-ledger.ts';

export interface NatsResult {
  seed: number;
  seconds: number;
  killEvery: number;
  kills: number;
  balance: NatsBalance;
  findings: Finding[];
  facts: MachineFacts;
}

export function renderNats({ seed, seconds, killEvery, kills, balance, findings, facts }: NatsResult): string {
  const { changes, delivered, failed, stored, repeated } = balance;
  const verdict =
    findings.length === 0
      ? `**Every change is in the stream, once**: ${kills} kills, ${renderNumber(changes)} changes.`
      : `**FAILED: ${findings.length} findings.**`;
  const rows: [string, number][] = [
    ['Changes', changes],
    ['… delivered', delivered],
    ['… with more than one attempt', repeated],
    ['… failed after all attempts', failed],
    ['Messages in the stream', stored],
  ];
  const parts = [
    '# Endurance: NATS under kill -9',
    verdict,
    `Two processes published to a stream of three replicas on three servers. For ${renderNumber(seconds)} s, a ` +
      `server was killed every ${killEvery} s and started again; seed ${seed}. The ledger is the stream, read back ` +
      'at the end, within the duplicate window.',
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Ledger',
    renderTable({ columns: ['What', 'Count'], rows: rows.map(([name, count]) => [name, renderNumber(count)]) }),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}
