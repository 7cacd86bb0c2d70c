// Turns the answer to a change into the line that is printed. A refusal is part of the story: somebody was faster.

import type { Answer } from './service-client.ts';

export function tell(line: string, answer: Answer<unknown>): string {
  return answer.kind === 'done' ? line : `${line} (not done: ${answer.reason})`;
}
