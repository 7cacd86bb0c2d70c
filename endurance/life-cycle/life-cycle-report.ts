// Renders the result of a life cycle in real time.

import { renderTable } from '../../bench/harness/report.ts';
import { renderFindings } from '../render-outcome.ts';
import type { LifeCycleResult } from './life-cycle-run.ts';

export function renderLifeCycle({ timeline, mail, findings }: LifeCycleResult): string {
  const verdict =
    findings.length === 0
      ? '**Passed**: five attempts, one per minute, then deactivated, and one alert.'
      : `**FAILED: ${findings.length} findings.**`;
  const parts = [
    '# The life of a subscription whose receiver fails, in real time',
    verdict,
    'With the default settings. After a change, the receiver responds to every attempt with 500.',
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    renderTable({
      columns: ['Seconds after the change', 'What'],
      rows: timeline.map(({ seconds, what }) => [seconds.toFixed(1), what]),
    }),
    '## The start of the alert',
    `\`\`\`\n${textOf(mail)}\n\`\`\``,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Its subject and first lines. Links differ from run to run. */
function textOf(mail: string): string {
  const subject = /^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(mail)?.[1] ?? '';
  const [, text = ''] = /Content-Type: text\/plain[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n--/.exec(mail) ?? [];
  const decoded = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const opening = decoded.replace(/\r/g, '').split('\n').slice(0, 16).join('\n');
  return `Subject: ${subject.replace(/\s+/g, ' ')}\n\n${opening}`;
}
