// How far a backup or a restore is, in one line on a terminal, and what it has done in the end.

import type { Counts, Progress } from '../backup/progress.ts';

export interface ShownProgress {
  show(progress: Progress): void;
  clear(): void;
}

const everyMs = 200;

/** On standard error, because standard output may have the backup. */
export function showProgress(output: NodeJS.WriteStream = process.stderr): ShownProgress {
  if (!output.isTTY) return { show: () => undefined, clear: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: ({ rows, bytes, table }) => {
      if (performance.now() - shownAt < everyMs) return;
      shownAt = performance.now();
      output.write(`\r\u001b[K${renderNumber(rows)} rows, ${renderBytes(bytes)}: ${table}`);
    },
    clear: () => {
      if (shownAt > 0) output.write('\r\u001b[K');
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
}

export function renderCounts({ rows, tables, bytes }: Counts, seconds: number): string {
  const time = seconds < 10 ? seconds.toFixed(1) : renderNumber(Math.round(seconds));
  return `${renderNumber(rows)} rows of ${tables} tables (${renderBytes(bytes)}) in ${time} s`;
}

function renderNumber(value: number): string {
  return value.toLocaleString('en');
}

function renderBytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
