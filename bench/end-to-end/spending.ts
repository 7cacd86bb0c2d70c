// Where the processor time of a change goes: a CPU profile of the program, by part, and the statements of the server.
// In a run of its own, because profiling slows down the program.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { timeByArea } from '../harness/profile-areas.ts';
import { recordProfile } from '../harness/record-profile.ts';
import type { Contender, Method } from './contenders.ts';
import { resetStatements, type StatementCost, selectStatements } from './end-to-end-table.ts';
import { measureRate, type RateRound, type RateRun } from './measure-rate.ts';
import type { Sizes } from './sizes.ts';

export interface Spending {
  name: Contender['name'];
  method: Method;
  round: RateRound;
  /** Microseconds of the program for each change, by part. */
  parts: Map<string, number>;
  statements: StatementCost[];
}

export interface SpendingRun extends Omit<RateRun, 'connections'> {
  sizes: Sizes;
  /** A folder in which the profiles are kept. */
  profiles: string | undefined;
}

export async function profileSpending(run: SpendingRun, contender: Contender, method: Method): Promise<Spending> {
  const { sizes, profiles } = run;
  const { name, databaseUrl, program } = contender;
  const measure = (durationMs: number) =>
    measureRate({ ...run, connections: sizes.connections }, contender, method, durationMs);
  await measure(sizes.warmUpMs);
  await resetStatements(databaseUrl);
  let round: RateRound | undefined;
  const profile = await recordProfile(program.output, async () => {
    round = await measure(sizes.profileMs);
  });
  const statements = await selectStatements(databaseUrl);
  if (profiles !== undefined) {
    await mkdir(profiles, { recursive: true });
    await writeFile(join(profiles, `end-to-end-${method}-${name}.cpuprofile`), JSON.stringify(profile));
  }
  return { name, method, round: round!, parts: shareOut(timeByArea(profile), round!), statements };
}

/** A profile samples wall time, so it gives only the shares. The total is what the system counted. */
function shareOut(times: Map<string, number>, { programUs }: RateRound): Map<string, number> {
  const sampled = [...times.values()].reduce((sum, time) => sum + time, 0);
  return new Map([...times].map(([area, time]) => [area, (time / sampled) * programUs]));
}
