// Renders the result of a run of the stream endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { ConsumerName } from './consumer.ts';
import type { StreamBalance } from './stream-ledger.ts';

export interface StreamResult {
  seed: number;
  consumer: ConsumerName;
  seconds: number;
  kills: { consumer: number; process: number; database: number };
  balance: StreamBalance;
  findings: Finding[];
  facts: MachineFacts;
}

const consumers: Record<ConsumerName, string> = {
  node: "Node's `fetch` on the stream",
  curl: '`curl -N` on the stream',
  python: "`pull` with Python's `requests`",
};

export function renderStream({ seed, consumer, seconds, kills, balance, findings, facts }: StreamResult): string {
  const { changes, delivered, taken, repeats } = balance;
  const verdict =
    findings.length === 0
      ? `**Every notification arrived, and none was acknowledged without being written down**: ` +
        `${kills.consumer} kills of the consumer, ${renderNumber(changes)} changes.`
      : `**FAILED: ${findings.length} findings.**`;
  const table = (rows: [string, number][], name: string) =>
    renderTable({ columns: [name, 'Count'], rows: rows.map(([text, count]) => [text, renderNumber(count)]) });
  const parts = [
    '# Endurance: a stream under kill -9',
    verdict,
    `One subscription with the channel STREAM. Clients changed objects by SQL for ${renderNumber(seconds)} s, while ` +
      `the consumer (${consumers[consumer]}), one of two processes or the server of the database was killed ` +
      `repeatedly; seed ${seed}. The consumer appends each notification to a file and then acknowledges it, by keys ` +
      'or by `upTo`, at either process. It leaves one batch in fifty without an acknowledgement.',
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Ledger',
    table(
      [
        ['Changes', changes],
        ['… delivered', delivered],
        ['Notifications that the consumer wrote down', taken],
        ['… that it had written down before', repeats],
      ],
      'What',
    ),
    '## Kills',
    table(
      [
        ['the consumer', kills.consumer],
        ['a process of the service', kills.process],
        ['PostgreSQL', kills.database],
      ],
      'Killed',
    ),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}
