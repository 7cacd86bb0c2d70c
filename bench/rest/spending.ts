// How the processor time of a request is spent: CPU profiles of the service and of the peer under the same load, in an
// untimed run, because profiling slows down the process.

import type { DrivenLoad, LoadDriver } from '../harness/drive-load.ts';
import { timeByArea } from '../harness/profile-areas.ts';
import { inspectorArgument, recordProfile } from '../harness/record-profile.ts';
import type { Scenario } from './scenarios.ts';
import type { Server } from './servers.ts';

/** Microseconds per request, by area. */
export interface Spending {
  scenario: Scenario;
  ours: Map<string, number>;
  peer: Map<string, number>;
}

export const profiledArgs = [inspectorArgument];

export async function profileSpending(
  driver: LoadDriver,
  scenario: Scenario,
  [ours, peer]: [Server, Server],
  load: { connections: number; durationMs: number },
): Promise<Spending> {
  return {
    scenario,
    ours: await profileServer(driver, scenario, ours, load),
    peer: await profileServer(driver, scenario, peer, load),
  };
}

async function profileServer(
  driver: LoadDriver,
  scenario: Scenario,
  server: Server,
  sending: { connections: number; durationMs: number },
): Promise<Map<string, number>> {
  const asked = scenario.load(`profile ${server.name}`);
  const headers = { ...server.headers, ...asked.headers };
  const plan = { origins: [server.origin], expectedStatus: 200, ...sending, ...asked, headers };
  // The first requests compile code and prepare statements.
  await driver.drive({ ...plan, durationMs: sending.durationMs / 3 }, server.program.pid);
  let load: DrivenLoad | undefined;
  const profile = await recordProfile(server.program.output, async () => {
    load = await driver.drive(plan, server.program.pid);
  });
  return shareOut(timeByArea(profile), load!);
}

/**
 * A profile samples wall time, also while another process has the processor. So it gives only the shares. The total is
 * the processor time that the system counted.
 */
function shareOut(times: Map<string, number>, { processorUs, acknowledged }: DrivenLoad): Map<string, number> {
  const sampledUs = [...times.values()].reduce((sum, time) => sum + time, 0);
  const wholeUs = processorUs ?? sampledUs / acknowledged;
  return new Map([...times].map(([area, time]) => [area, (time / sampledUs) * wholeUs]));
}
