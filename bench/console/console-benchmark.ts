// The console benchmark: how fast the lists of a console are over a log of a million notifications, and what their
// indexes cost a delivery.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { LoadDriver } from '../harness/drive-load.ts';
import { Ledger } from '../harness/ledger.ts';
import { readMachineFacts } from '../harness/machine-facts.ts';
import { createDatabase, fillFleet } from '../rest/fleet-table.ts';
import { startOurs } from '../rest/servers.ts';
import { planLists } from './console-lists.ts';
import { reportOf } from './console-report.ts';
import { fillLog } from './log-table.ts';
import { type MeasuredList, measureLists } from './measure-lists.ts';
import { fullSizes, quickSizes, type Sizes } from './sizes.ts';
import { measureWrites } from './write-cost.ts';

export const consoleBenchmark: Benchmark = async ({ isQuick, tell }) => {
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const driver = new LoadDriver();
  const ledger = new Ledger();
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    const filledUrl = await fill(database.url, sizes, tell);
    tell('measuring lists');
    const lists = await measureFilled(filledUrl, sizes, driver, ledger);
    tell('measuring deliveries with and without the indexes of the lists');
    const writes = await measureWrites({ filledUrl, folder, sizes: sizes.writes, ledger, tell });
    return reportOf({ sizes, lists, writes }, { ledger: ledger.entries, facts });
  } finally {
    await driver.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

async function fill(serverUrl: string, sizes: Sizes, tell: (line: string) => void): Promise<string> {
  tell(`filling a log with ${sizes.log.notifications} notifications`);
  const url = await createDatabase(serverUrl, 'bench_log');
  // The service creates the tables.
  const { program } = await startOurs({ databaseUrl: url, databaseConnections: 4, roles: 'api' });
  await program.stop();
  await fillFleet(url, {
    voyages: sizes.voyages,
    ports: 50,
    voyagesOfFirstPort: sizes.voyages / 50,
    hasSubObjects: true,
  });
  await fillLog(url, sizes.log, tell);
  return url;
}

async function measureFilled(
  databaseUrl: string,
  sizes: Sizes,
  driver: LoadDriver,
  ledger: Ledger,
): Promise<MeasuredList[]> {
  const lists = await planLists(databaseUrl, sizes.log.days);
  const server = await startOurs({ databaseUrl, databaseConnections: 4, roles: 'api' });
  try {
    return await measureLists({ driver, ledger, rounds: sizes.lists }, server, lists);
  } finally {
    await server.program.stop();
  }
}
