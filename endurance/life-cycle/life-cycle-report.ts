// Renders the result of a life cycle in real time.

import { renderTable } from '../../bench/harness/report.ts';
import { renderFindings } from '../render-outcome.ts';
import type { LifeCycleResult } from './life-cycle-run.ts';

export function renderLifeCycle({ timeline, mail, findings }: LifeCycleResult): string {
  const verdict =
    findings.length === 0
      ? '**As it should be**: five attempts, one a minute, then deactivated, and one alert.'
      : `**FAILED: ${findings.length} findings.**`;
  const parts = [
    '# The life of a subscription whose receiver fails, in real time',
    verdict,
    'With the default settings. A change is made; the receiver answers 500 to every attempt.',
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    renderTable({
      columns: ['Seconds after the change', 'What'],
      rows: timeline.map(({ seconds, what }) => [seconds.toFixed(1), what]),
    }),
    '## The alert, as it begins',
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
  return `Subject: ${subject.replace(/\s+/g, ' ')}\n\n${decoded.replace(/\r/g, '').split('\n').slice(0, 16).join('\n')}`;
}
