// What a benchmark is to the command line: something that measures and reports.

import type { Report } from './report.ts';

export interface BenchmarkOptions {
  /** A smoke run: everything happens, but for no longer than it takes to see that it works. */
  isQuick: boolean;
  /** Which parts of it; none: all. */
  parts: readonly string[];
  /** Where CPU profiles are kept, for those benchmarks that take some. */
  profiles: string | undefined;
  /** Says what is going on; a run takes minutes. */
  tell: (line: string) => void;
}

export type Benchmark = (options: BenchmarkOptions) => Promise<Report>;
