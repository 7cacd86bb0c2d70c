// Measures contenders in turns: A B, B A, A B … so that neither is always first, and a slow minute of the machine
// affects both. A round in which other virtual machines took too much processor time is measured again.

import { readProcessorTimes, stolenShare } from './stolen-time.ts';

export interface Contender<Measurement> {
  name: string;
  measure(durationMs: number): Promise<Measurement>;
}

export interface RoundPlan {
  rounds: number;
  durationMs: number;
  /** The warm-up before the first round, not counted. Undefined if every measurement warms up by itself. */
  warmUpMs?: number;
}

interface Round<Measurement> {
  measured: Map<string, Measurement>;
  /** The largest share taken from one of the contenders. */
  stolen: number;
}

/** Share of the wanted processor time. On a quiet machine it is a tenth of this. */
export const stolenMax = 0.02;

/** With fewer rounds, a disturbed one could be the median. So a smoke run gives no verdict, and repeats no round. */
const roundsToJudge = 3;

/** All rounds of this process. */
export const roundsSoFar = { counted: 0, again: 0, disturbed: 0 };

/**
 * Results by name of the contender, in the order of the rounds. At the end, disturbed rounds are measured once more,
 * each in its own order. Of the two results, the one with less stolen time counts, whatever its values.
 */
export async function measureInRounds<Measurement>(
  contenders: readonly Contender<Measurement>[],
  { rounds, durationMs, warmUpMs }: RoundPlan,
  readTimes = readProcessorTimes,
): Promise<Map<string, Measurement[]>> {
  if (warmUpMs !== undefined) for (const contender of contenders) await contender.measure(warmUpMs);
  const measure = async (round: number): Promise<Round<Measurement>> => {
    const taken: Round<Measurement> = { measured: new Map(), stolen: 0 };
    for (const contender of inOrderOf(round, contenders)) {
      const before = readTimes();
      taken.measured.set(contender.name, await contender.measure(durationMs));
      taken.stolen = Math.max(taken.stolen, stolenShare(before, readTimes()));
    }
    return taken;
  };
  const counted: Round<Measurement>[] = [];
  for (let round = 0; round < rounds; round += 1) counted.push(await measure(round));
  for (const [round, first] of counted.entries()) {
    if (rounds < roundsToJudge || first.stolen <= stolenMax) continue;
    const second = await measure(round);
    if (second.stolen < first.stolen) counted[round] = second;
    roundsSoFar.again += 1;
  }
  roundsSoFar.counted += rounds;
  roundsSoFar.disturbed += counted.filter(({ stolen }) => stolen > stolenMax).length;
  return new Map(contenders.map(({ name }) => [name, counted.map(({ measured }) => measured.get(name)!)]));
}

function inOrderOf<T>(round: number, contenders: readonly T[]): T[] {
  return round % 2 === 0 ? [...contenders] : [...contenders].reverse();
}
