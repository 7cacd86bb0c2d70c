// Renders the result of a run of the token endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import type { Finding } from '../finding.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { ProcessTally } from './token-load.ts';

export interface TokensResult {
  connections: number;
  renewEveryMs: number;
  elapsedSeconds: number;
  rotations: Rotation[];
  tallies: readonly ProcessTally[];
  tokensByKey: ReadonlyMap<string, number>;
  findings: Finding[];
  facts: MachineFacts;
}

export interface Rotation {
  kid: string;
  atSeconds: number;
}

export function renderTokens(result: TokensResult): string {
  const { findings, rotations, tallies, facts } = result;
  const requests = tallies.reduce((sum, tally) => sum + tally.requests, 0);
  const verdict =
    findings.length === 0
      ? `**No request was refused**: ${rotations.length} rotations, ${renderNumber(requests)} requests.`
      : `**FAILED: ${findings.length} findings.**`;
  const parts = [
    '# Endurance: rotation of the signing key under load',
    verdict,
    `${result.connections} connections called ${tallies.length} processes on one database for ` +
      `${renderNumber(result.elapsedSeconds)} s. Each used a token that it got from the other process and renewed ` +
      `every ${renderNumber(result.renewEveryMs / 1000, 1)} s. Meanwhile \`flaghoist key rotate\` replaced the key.`,
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Processes',
    renderTable({
      columns: ['Process', 'Requests', 'Tokens issued'],
      rows: tallies.map((tally, index) => [
        String(index + 1),
        renderNumber(tally.requests),
        renderNumber(tally.tokensIssued),
      ]),
    }),
    '## Keys',
    renderKeys(result),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Key ids mean nothing to a reader. */
function renderKeys({ rotations, tokensByKey }: TokensResult): string {
  const madeAt = new Map(rotations.map(({ kid, atSeconds }) => [kid, atSeconds]));
  return renderTable({
    columns: ['Key', 'Created after s', 'Tokens signed'],
    rows: [...tokensByKey].map(([kid, tokens], index) => {
      const seconds = madeAt.get(kid);
      return [String(index + 1), seconds === undefined ? 'before' : renderNumber(seconds, 1), renderNumber(tokens)];
    }),
  });
}
