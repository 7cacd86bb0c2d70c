// `npm run bench <name>`: runs a benchmark, prints its report and keeps it as `bench/results/<name>.md`.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { consoleBenchmark } from './console/console-benchmark.ts';
import { deliveryBenchmark } from './delivery/delivery-benchmark.ts';
import { endToEndBenchmark } from './end-to-end/end-to-end-benchmark.ts';
import { fanOutBenchmark } from './fan-out/fan-out-benchmark.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { projectRoot } from './harness/project-root.ts';
import { isVoid, renderReport } from './harness/report.ts';
import { liveBenchmark } from './live/live-benchmark.ts';
import { matchingBenchmark } from './matching/matching-benchmark.ts';
import { restBenchmark } from './rest/rest-benchmark.ts';
import { sandboxBenchmark } from './sandbox/sandbox-benchmark.ts';
import { scaleBenchmark } from './scale/scale-benchmark.ts';
import { streamBenchmark } from './stream/stream-benchmark.ts';
import { tokensBenchmark } from './tokens/tokens-benchmark.ts';

const benchmarks = new Map<string, Benchmark>([
  ['console', consoleBenchmark],
  ['delivery', deliveryBenchmark],
  ['end-to-end', endToEndBenchmark],
  ['fan-out', fanOutBenchmark],
  ['live', liveBenchmark],
  ['matching', matchingBenchmark],
  ['rest', restBenchmark],
  ['sandbox', sandboxBenchmark],
  ['scale', scaleBenchmark],
  ['stream', streamBenchmark],
  ['tokens', tokensBenchmark],
]);

interface Options {
  quick: boolean;
  profiles?: string;
  results: string;
}

const program = new Command('bench')
  .description('Measures the service and writes a report.')
  .argument('<name>', `one of: ${[...benchmarks.keys()].join(', ')}`)
  .argument('[parts...]', 'only these parts of it, where it has parts')
  .option('--quick', 'a smoke run of less than a minute, whose numbers mean nothing', false)
  .option('--results <folder>', 'where the report is written', join(projectRoot, 'bench/results'))
  .option('--profiles <folder>', 'keeps the CPU profiles there that the benchmark takes')
  .action(run);

// The ordinary end of this process ends the others, see `node-program.ts`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await program.parseAsync();

async function run(name: string, parts: string[], { quick, results, profiles }: Options): Promise<void> {
  const benchmark = benchmarks.get(name);
  if (!benchmark) return program.error(`Unknown benchmark: ${name}. There are ${[...benchmarks.keys()].join(', ')}.`);
  const startedAt = performance.now();
  const tell = (line: string) =>
    console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  const report = await benchmark({ isQuick: quick, parts, profiles, tell });
  const text = renderReport(report);
  const file = join(results, `${[name, ...parts, ...(quick ? ['quick'] : [])].join('-')}.md`);
  await mkdir(results, { recursive: true });
  await writeFile(file, text);
  tell(`written to ${file}`);
  console.log(text);
  if (isVoid(report)) process.exitCode = 1;
}
