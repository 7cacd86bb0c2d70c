// The interface between a benchmark and the command line.

import type { Report } from './report.ts';

export interface BenchmarkOptions {
  /** A smoke run: everything runs just long enough to show that it works. */
  isQuick: boolean;
  /** The parts to run; empty: all. */
  parts: readonly string[];
  /** Where CPU profiles are kept, for those benchmarks that take some. */
  profiles: string | undefined;
  /** Prints progress, because a run takes minutes. */
  tell: (line: string) => void;
}

export type Benchmark = (options: BenchmarkOptions) => Promise<Report>;
