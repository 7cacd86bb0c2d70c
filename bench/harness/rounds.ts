// Measures contenders in turns: A B, B A, A B … so that neither is always the first, and a slow minute of the machine
// falls on both. A round in which others took too much of the machine says little about any of them, and is measured again.

import { readProcessorTimes, stolenShare } from './stolen-time.ts';

export interface Contender<Measurement> {
  name: string;
  measure(durationMs: number): Promise<Measurement>;
}

export interface RoundPlan {
  rounds: number;
  durationMs: number;
  /** Measured once before the first round, and thrown away; not at all where every measurement warms up by itself. */
  warmUpMs?: number;
}

interface Round<Measurement> {
  measured: Map<string, Measurement>;
  /** The most that was taken from one of the contenders. */
  stolen: number;
}

/** Of the processor time that was wanted. On a quiet machine it is a tenth of that. */
export const stolenMax = 0.02;

/** Fewer have no median that one disturbed round could not be. They judge nothing, as in a smoke run, and none is measured again. */
const roundsToJudge = 3;

/** All rounds of this process. */
export const roundsSoFar = { counted: 0, again: 0, disturbed: 0 };

/**
 * By the name of the contender, in the order of the rounds. When all are done, those that were disturbed are measured once more, each in its own order,
 * and of the two the one counts from which less was stolen, whatever was measured in it.
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
