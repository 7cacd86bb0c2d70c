// Renders the result of a run of the order endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import type { Kill, Victim } from '../delivery/delivery-report.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { OrderBalance } from './order-ledger.ts';

export interface OrderResult {
  seed: number;
  objects: number;
  seconds: number;
  kills: readonly Kill[];
  balance: OrderBalance;
  findings: Finding[];
  facts: MachineFacts;
}

export function renderOrder({ seed, objects, seconds, kills, balance, findings, facts }: OrderResult): string {
  const { changes, delivered, failed, arrivals, repeats } = balance;
  const verdict =
    findings.length === 0
      ? `**Every first arrival was in order, and nothing was lost**: ${kills.length} kills, ${objects} objects, ` +
        `${renderNumber(changes)} changes.`
      : `**FAILED: ${findings.length} findings.**`;
  const rows: [string, number][] = [
    ['Changes', changes],
    ['… delivered', delivered],
    ['… failed after all attempts', failed],
    ['Requests that the receiver got', arrivals],
    ['… with an id that had arrived before', repeats],
  ];
  const victims: Victim[] = ['api and worker', 'worker', 'PostgreSQL', 'a session of PostgreSQL'];
  const parts = [
    '# Endurance: order under kill -9',
    verdict,
    `One ordered subscription. Clients changed the objects by SQL for ${renderNumber(seconds)} s, while one of two ` +
      `processes, the server of the database or a session of it was killed repeatedly; seed ${seed}. The receiver ` +
      'failed one request in ten, and was cut off now and then.',
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Ledger',
    renderTable({ columns: ['What', 'Count'], rows: rows.map(([name, count]) => [name, renderNumber(count)]) }),
    '## Kills',
    renderTable({
      columns: ['Killed', 'Count'],
      rows: victims.map((name) => [name, renderNumber(kills.filter(({ victim }) => victim === name).length)]),
    }),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}
