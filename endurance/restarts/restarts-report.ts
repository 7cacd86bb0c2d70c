// Renders the result of rolling restarts under load.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber } from '../../bench/harness/report.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';

export interface RestartsResult {
  restarts: number;
  connections: number;
  drainSeconds: number;
  elapsedSeconds: number;
  requests: number;
  changes: { accepted: number; notified: number; notifications: number };
  /** How long each process took to stop. */
  stopMs: number[];
  findings: Finding[];
  facts: MachineFacts;
}

export function renderRestarts(result: RestartsResult): string {
  const { restarts, connections, drainSeconds, elapsedSeconds, requests, changes, stopMs, findings, facts } = result;
  const verdict =
    findings.length === 0
      ? `**No request failed, and nothing was lost**: each process restarted ${restarts} times, ${renderNumber(requests)} requests.`
      : `**FAILED: ${findings.length} findings.**`;
  const twice = changes.notifications - changes.notified;
  const parts = [
    '# Endurance: rolling restarts under load',
    verdict,
    `${connections} connections changed and read objects for ${renderNumber(elapsedSeconds)} s through a load balancer, ` +
      'which asked each process ten times a second whether it is ready. Meanwhile two processes with the role `api` and ' +
      `two with \`worker\` were stopped by SIGTERM and started again, one after the other, ${restarts} times each, with ` +
      `\`FLAGHOIST_DRAIN_SECONDS=${drainSeconds}\`.`,
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    `- ${renderNumber(changes.accepted)} changes were accepted, and ${renderNumber(changes.notified)} were notified, ` +
      `${renderNumber(twice)} of them twice.`,
    `- A process took at most ${renderNumber(Math.max(...stopMs) / 1000, 1)} s to stop.`,
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}
