// Splits the output of a program into lines, keeps the last ones for error messages, and masks a secret in them.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface FollowedLines {
  /** The last 20. */
  readonly recent: readonly string[];
  /** When the last line came, or when following began, as `performance.now()` counts. */
  readonly lastAt: number;
}

export function followLines(
  streams: readonly (Readable | null)[],
  secret: string | undefined,
  onLine: (line: string) => void = () => {},
): FollowedLines {
  const followed = { recent: [] as string[], lastAt: performance.now() };
  const take = (line: string) => {
    const text = secret === undefined ? line : line.replaceAll(secret, '***');
    followed.recent = [...followed.recent, text].slice(-20);
    followed.lastAt = performance.now();
    onLine(text);
  };
  for (const stream of streams) {
    if (stream !== null) createInterface({ input: stream }).on('line', take);
  }
  return followed;
}
