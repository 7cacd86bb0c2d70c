// Runs inside the script engine, as text: gives scripts a console and random numbers. The functions must not refer to
// anything outside themselves.

import type { Describer } from './judge-result.ts';

export type ScriptLog = ReturnType<typeof makeConsole>;

export function makeConsole({ cut }: Describer) {
  const linesMax = 100;
  const lineLengthMax = 1000;
  let log: string[] = [];

  function show(value: unknown): string {
    if (typeof value === 'string') return value;
    try {
      if (typeof value !== 'object' || value === null || value instanceof Error) return String(value);
      return JSON.stringify(value) ?? String(value);
    } catch {
      return '(cannot be shown)';
    }
  }

  function write(...values: unknown[]): void {
    if (log.length >= linesMax) {
      log[linesMax - 1] = 'Further lines are left out.';
      return;
    }
    let line = '';
    for (const [n, value] of values.entries()) {
      if (line.length > lineLengthMax) break;
      line += (n > 0 ? ' ' : '') + cut(show(value), lineLengthMax + 1);
    }
    // Rendering a value may itself have written lines.
    if (log.length < linesMax) log.push(cut(line, lineLengthMax));
  }

  Object.defineProperty(globalThis, 'console', {
    value: { log: write, info: write, warn: write, error: write, debug: write },
  });
  return {
    clear() {
      log = [];
    },
    lines: () => log,
  };
}

/** Returns the function that sets the seed. */
export function makeRandom(): (seed: number) => void {
  let random = 0;

  /** Mulberry32: good enough for sampling, and deterministic for a seed. */
  function nextRandom(): number {
    random = (random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(random ^ (random >>> 15), 1 | random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  Math.random = nextRandom;
  return (seed) => {
    random = seed;
  };
}
