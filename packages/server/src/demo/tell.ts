// Turns the response to a change into the line to print. A refusal is printed too; usually another change came first.

import type { Answer } from './service-client.ts';

export function tell(line: string, answer: Answer<unknown>): string {
  return answer.kind === 'done' ? line : `${line} (not done: ${answer.reason})`;
}
