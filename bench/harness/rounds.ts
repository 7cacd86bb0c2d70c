// Measures contenders in turns: A B, B A, A B … so that neither is always the first, and a slow minute of the machine
// falls on both.

export interface Contender<Measurement> {
  name: string;
  measure(durationMs: number): Promise<Measurement>;
}

export interface RoundPlan {
  rounds: number;
  durationMs: number;
  /** Measured once before the first round, and thrown away. */
  warmUpMs: number;
}

/** By the name of the contender, in the order of the rounds. */
export async function measureInRounds<Measurement>(
  contenders: readonly Contender<Measurement>[],
  { rounds, durationMs, warmUpMs }: RoundPlan,
): Promise<Map<string, Measurement[]>> {
  const measured = new Map<string, Measurement[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await contender.measure(warmUpMs);
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of inOrderOf(round, contenders))
      measured.get(contender.name)!.push(await contender.measure(durationMs));
  }
  return measured;
}

function inOrderOf<T>(round: number, contenders: readonly T[]): T[] {
  return round % 2 === 0 ? [...contenders] : [...contenders].reverse();
}
