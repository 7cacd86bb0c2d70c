// Calls per second of a typical script and of a typical stylesheet: in the sandbox, in turns with the engines alone.

import { fileURLToPath } from 'node:url';
import type { Ledger } from '../harness/ledger.ts';
import { NodeProgram } from '../harness/node-program.ts';
import { measureInRounds } from '../harness/rounds.ts';
import type { EnginePlan, EngineRequest, EngineResult, WorkName } from './engine-work.ts';
import type { Sizes } from './sizes.ts';

export interface EngineComparison {
  work: WorkName;
  /** Calls per second, by round. */
  ours: number[];
  bare: number[];
}

export interface EnginesRun {
  plan: EnginePlan;
  sizes: Sizes['engines'];
  ledger: Ledger;
  tell: (line: string) => void;
}

const works: readonly WorkName[] = ['one script', 'hundred scripts', 'hundred scripts, parsed once', 'stylesheet'];

export async function measureEngines(run: EnginesRun): Promise<EngineComparison[]> {
  const started = { ours: startEngines('sandboxed'), bare: startEngines('bare') };
  try {
    for (const program of Object.values(started)) await program.ask(run.plan);
    const compared: EngineComparison[] = [];
    for (const work of works) compared.push(await compare(run, started, work));
    return compared;
  } finally {
    for (const program of Object.values(started)) await program.stop();
  }
}

export function startEngines(which: 'sandboxed' | 'bare'): NodeProgram {
  return new NodeProgram({ script: fileURLToPath(programs[which]), hasChannel: true });
}

const programs = {
  sandboxed: new URL('./sandboxed-engines.js', import.meta.url),
  bare: new URL('./bare-engines.js', import.meta.url),
};

type Started = Record<'ours' | 'bare', NodeProgram>;

async function compare(
  { sizes, ledger, tell }: EnginesRun,
  started: Started,
  work: WorkName,
): Promise<EngineComparison> {
  const results: Record<keyof Started, EngineResult[]> = { ours: [], bare: [] };
  const contender = (name: keyof Started) => ({
    name,
    measure: async (durationMs: number) => {
      const request: EngineRequest = { kind: 'measure', work, durationMs };
      const result = await started[name].ask<EngineResult>(request);
      results[name].push(result);
      tell(`  ${work}, ${name}: ${result.perSecond.toFixed(0)}/s`);
      return result.perSecond;
    },
  });
  const measured = await measureInRounds([contender('ours'), contender('bare')], sizes);
  for (const name of ['ours', 'bare'] as const) {
    const sum = (what: 'calls' | 'answers') => results[name].reduce((total, result) => total + result[what], 0);
    ledger.expect(`${work}, ${name}: calls, each answered`, sum('calls'), sum('answers'));
  }
  const digests = (name: keyof Started) => [...new Set(results[name].map(({ digest }) => digest))].join();
  ledger.expect(`${work}: what came of it, the same from both`, digests('bare'), digests('ours'));
  return { work, ours: measured.get('ours')!, bare: measured.get('bare')! };
}
