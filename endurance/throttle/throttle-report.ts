// Renders the result of a run of the throttle endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { quantile } from '../../bench/harness/statistics.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { ThrottleBalance } from './throttle-ledger.ts';

export interface ThrottleResult {
  subscriptions: number;
  ratePerSecond: number;
  seconds: number;
  balance: ThrottleBalance;
  findings: Finding[];
  facts: MachineFacts;
}

export function renderThrottle(result: ThrottleResult): string {
  const { subscriptions, ratePerSecond, seconds, balance, findings, facts } = result;
  const isVoid = findings.some(({ kind }) => kind === 'notification missing' || kind === 'notification left');
  const failed = `**FAILED: ${findings.length} findings.**${isVoid ? ' Notifications are missing: the rates are void.' : ''}`;
  const kept = `**Each of ${subscriptions} subscriptions was within 10 % of its rate, and nothing is missing.**`;
  const delay = (fraction: number) => `${quantile(balance.delays, fraction).toFixed(0)} ms`;
  const parts = [
    '# Endurance: rates over two processes',
    findings.length === 0 ? kept : failed,
    `${subscriptions} subscriptions at ${ratePerSecond} a second and ${subscriptions} without a rate, two processes. ` +
      `One object was changed ${renderNumber(balance.changes)} times in ${seconds} s, faster than the rate, so that a ` +
      `backlog grew. The rates are those of these ${seconds} s; then the backlog was sent: ` +
      `${renderNumber(balance.arrivals)} notifications in all. Changes were made by SQL, which the processes notice ` +
      'within 250 ms.',
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Rates',
    renderTable({
      columns: ['Subscription', 'Attempts a second', 'Of its rate', 'Most within any second'],
      rows: balance.rates.map((rate, index) => [
        String(index + 1),
        rate.perSecond.toFixed(2),
        `${((100 * rate.perSecond) / rate.ratePerSecond).toFixed(1)} %`,
        String(rate.mostInASecond),
      ]),
    }),
    '## Subscriptions without a rate',
    renderTable({
      columns: ['From the change to the arrival', 'Delay'],
      rows: [
        ['median', delay(0.5)],
        ['99 of 100', delay(0.99)],
        ['longest', delay(1)],
      ],
    }),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}
