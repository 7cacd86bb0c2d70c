// Measures a scenario on several servers in interleaved rounds, and counts acknowledged requests for the ledger.

import type { DrivenLoad, LoadDriver } from '../harness/drive-load.ts';
import type { Ledger } from '../harness/ledger.ts';
import { failureCount, type LoadPlan } from '../harness/load.ts';
import { peakMemoryMb } from '../harness/process-usage.ts';
import { type Contender, measureInRounds, type RoundPlan } from '../harness/rounds.ts';
import { countEvents } from './fleet-table.ts';
import type { Scenario } from './scenarios.ts';
import type { Server } from './servers.ts';

export interface Comparison {
  scenario: Scenario;
  ours: DrivenLoad[];
  peer: DrivenLoad[];
  /** The peak of each process up to the end of the scenario. */
  peakMemoryMb: { ours: number | undefined; peer: number | undefined };
}

export interface ComparisonContext {
  driver: LoadDriver;
  ledger: Ledger;
  connections: number;
  rounds: RoundPlan;
}

export async function compare(
  context: ComparisonContext,
  scenario: Scenario,
  [ours, peer]: [Server, Server],
  databaseUrl: string,
): Promise<Comparison> {
  const acknowledged = new Map<string, number>();
  const contenders = [ours, peer].map((server) =>
    contenderOf(context, server, scenario, (result) =>
      acknowledged.set(server.name, (acknowledged.get(server.name) ?? 0) + result.acknowledged),
    ),
  );
  const measured = await measureInRounds(contenders, context.rounds);
  if (scenario.short === 'PUT') {
    for (const [name, count] of acknowledged)
      context.ledger.expect(
        `PUT, ${name}: an event for every acknowledged change`,
        count,
        await countEvents(databaseUrl, `${name} `),
      );
  }
  const memory = { ours: await peakMemoryMb(ours.program.pid), peer: await peakMemoryMb(peer.program.pid) };
  return { scenario, ours: measured.get(ours.name)!, peer: measured.get(peer.name)!, peakMemoryMb: memory };
}

/** Throughput by the name of the server. */
export async function measureAlone(
  context: ComparisonContext,
  scenario: Scenario,
  servers: Server[],
): Promise<Map<string, DrivenLoad[]>> {
  const contenders = servers.map((server) => contenderOf(context, server, scenario, () => undefined));
  return await measureInRounds(contenders, context.rounds);
}

export function contenderOf(
  { driver, ledger, connections }: Pick<ComparisonContext, 'driver' | 'ledger' | 'connections'>,
  server: Server,
  scenario: Pick<Scenario, 'short' | 'load'>,
  onResult: (result: DrivenLoad) => void,
): Contender<DrivenLoad> {
  let turn = 0;
  return {
    name: server.name,
    measure: async (durationMs) => {
      turn += 1;
      const mark = `${server.name} ${turn}`;
      const load = scenario.load(mark);
      const plan: LoadPlan = {
        origins: [server.origin],
        connections,
        expectedStatus: 200,
        durationMs,
        ...load,
        headers: { ...server.headers, ...load.headers },
      };
      const result = await driver.drive(plan, server.program.pid);
      checkResult(ledger, `${scenario.short}, ${server.name}, turn ${turn}`, result, plan, mark);
      onResult(result);
      return result;
    },
  };
}

/** Adds only mismatches to the ledger, because one line per round would hide the others. */
function checkResult(ledger: Ledger, what: string, result: DrivenLoad, plan: LoadPlan, mark: string): void {
  if (failureCount(result) > 0) ledger.expect(`${what}: failed requests`, 'none', JSON.stringify(result.failures));
  const { body } = result.first;
  const isRight = body.startsWith('{"') || body.startsWith('[{"');
  const isChanged = plan.body === undefined || body.includes(`"comments":"${mark} `);
  if (!isRight || !isChanged) ledger.expect(`${what}: first answer`, 'the object or list asked for', body);
}
