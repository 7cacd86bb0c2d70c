// Renders the result of failovers under load.

import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { spreadOf } from '../../bench/harness/statistics.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { FailoverResult } from './failover-run.ts';

export function renderFailover(result: FailoverResult): string {
  const { rounds, clients, throughPgbouncer, seed, seconds, failovers, counts, balance, findings, facts } = result;
  const verdict =
    findings.length === 0
      ? `**Nothing that was answered was lost**: ${rounds} failovers, ${renderNumber(counts.accepted)} changes.`
      : `**FAILED: ${findings.length} findings.**`;
  const rows: [string, number][] = [
    ['Changes that were accepted, each stored and notified', counts.accepted],
    ['Changes without a response, or with 503', counts.unknown],
    ['… of which were made, and notified', balance.made],
    ['Notifications, each delivered', counts.notifications],
    ['Requests that the receiver got', counts.requests],
    ['… again, with an id that was in flight at a failover', balance.repeats],
  ];
  const times: [string, number[]][] = [
    ['Without service, from the kill to the first accepted change', failovers.map((f) => f.backAt - f.killedAt)],
    ['… until the standby was promoted', failovers.map((f) => f.promotedAt - f.killedAt)],
    ['… until the service had noticed', failovers.map((f) => f.backAt - f.promotedAt)],
  ];
  const parts = [
    `# Endurance: failover of the database${throughPgbouncer ? ', through PgBouncer' : ''}`,
    verdict,
    `${clients} clients changed objects by REST for ${renderNumber(seconds)} s; seed ${seed}. Two processes of the ` +
      'service, and two PostgreSQL servers on the same machine: a primary, and a standby that confirms every commit ' +
      '(`synchronous_standby_names`, `synchronous_commit = on`). The primary was killed with `kill -9`, the standby ' +
      'was promoted at once, and a fresh copy became the new standby. ' +
      (throughPgbouncer
        ? 'The service reached the primary through PgBouncer in session mode, whose configuration was rewritten and ' +
          'reloaded after each promotion.'
        : '`DATABASE_URL` named both servers.'),
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Ledger',
    renderTable({ columns: ['What', 'Count'], rows: rows.map(([name, count]) => [name, renderNumber(count)]) }),
    '## Time, in ms',
    renderTable({ columns: ['What', 'Median', 'At most'], rows: times.map(([name, all]) => timeRow(name, all)) }),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function timeRow(name: string, values: readonly number[]): string[] {
  const { median, max } = spreadOf(values);
  return [name, renderNumber(Math.round(median)), renderNumber(Math.round(max))];
}
