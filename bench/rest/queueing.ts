// What a change pays for the number of its event and for its snapshot: the trigger that queues events at COMMIT, in
// turns with one that only writes them to the queue. Each has a database and a service of its own; nothing is matched.

import type { LoadDriver } from '../harness/drive-load.ts';
import type { Ledger } from '../harness/ledger.ts';
import { perSecond } from '../harness/load.ts';
import { startMeter } from '../harness/process-usage.ts';
import { type Contender, measureInRounds } from '../harness/rounds.ts';
import { contenderOf } from './comparison.ts';
import { createDatabase, fillFleet, selectBackendPids, selectVoyageKeys } from './fleet-table.ts';
import { changeVoyages, countQueued, openClients, queuePlainly, type SqlClient } from './queueing-table.ts';
import { scenariosOf } from './scenarios.ts';
import { type Server, startOurs } from './servers.ts';
import type { Sizes } from './sizes.ts';

export interface QueueingRound {
  perSecond: number;
  /** Of PostgreSQL, for a change; NaN if the system does not report it. */
  databaseUs: number;
}

export interface QueueingCost {
  change: string;
  atCommit: QueueingRound[];
  plain: QueueingRound[];
}

export interface QueueingRun {
  sizes: Sizes;
  serverUrl: string;
  driver: LoadDriver;
  ledger: Ledger;
}

/** A database with its service. */
interface Place {
  server: Server;
  databaseUrl: string;
  voyageKeys: readonly number[];
}

const names = { atCommit: 'queued at COMMIT', plain: 'plain trigger' };

export async function measureQueueing(run: QueueingRun): Promise<QueueingCost[]> {
  const places: Place[] = [];
  try {
    places.push(await openPlace(run, names.atCommit));
    places.push(await openPlace(run, names.plain));
    await queuePlainly(places[1]!.databaseUrl);
    return [
      await compareChangers(
        run,
        'PUT over REST',
        places.map((place) => restChanger(run, place)),
      ),
      await compareBySql(run, places, 1),
      await compareBySql(run, places, run.sizes.queueing.sqlConnections),
    ];
  } finally {
    for (const { server } of places) await server.program.stop();
  }
}

async function openPlace({ sizes, serverUrl }: QueueingRun, name: string): Promise<Place> {
  const databaseUrl = await createDatabase(serverUrl, `bench ${name}`);
  const { databaseConnections, queueing } = sizes;
  const server = await startOurs({ databaseUrl, databaseConnections, name, roles: 'api' });
  await fillFleet(databaseUrl, {
    voyages: queueing.voyages,
    ports,
    voyagesOfFirstPort: queueing.voyages / ports,
    hasSubObjects: true,
  });
  return { server, databaseUrl, voyageKeys: await selectVoyageKeys(databaseUrl, queueing.voyages) };
}

const ports = 50;

/** One way of changing voyages, in one place. */
interface Changer extends Contender<QueueingRound> {
  databaseUrl: string;
  /** The start of the comments of all its changes. */
  mark: string;
  acknowledged: number;
}

function restChanger({ driver, ledger, sizes }: QueueingRun, { server, databaseUrl, voyageKeys }: Place): Changer {
  const put = scenariosOf(voyageKeys, ports).find(({ short }) => short === 'PUT')!;
  const context = { driver, ledger, connections: sizes.connections };
  const contender = contenderOf(context, server, put, ({ acknowledged }) => {
    changer.acknowledged += acknowledged;
  });
  const changer: Changer = {
    name: server.name,
    databaseUrl,
    mark: `${server.name} `,
    acknowledged: 0,
    measure: async (durationMs) => {
      const used = await startMeter(await selectBackendPids(databaseUrl));
      const load = await contender.measure(durationMs);
      return { perSecond: perSecond(load), databaseUs: ((await used()) * 1000) / load.acknowledged };
    },
  };
  return changer;
}

async function compareBySql(run: QueueingRun, places: readonly Place[], connections: number): Promise<QueueingCost> {
  const clients: SqlClient[] = [];
  try {
    const changers: Changer[] = [];
    for (const place of places) {
      const own = await openClients(place.databaseUrl, connections);
      clients.push(...own);
      changers.push(sqlChanger(place, own));
    }
    const counted = connections === 1 ? '1 connection' : `${connections} connections`;
    return await compareChangers(run, `UPDATE by SQL, ${counted}`, changers);
  } finally {
    for (const { client } of clients) await client.end();
  }
}

function sqlChanger({ server, databaseUrl, voyageKeys }: Place, clients: readonly SqlClient[]): Changer {
  let turn = 0;
  const mark = `SQL ${clients.length} `;
  const changer: Changer = {
    name: server.name,
    databaseUrl,
    mark,
    acknowledged: 0,
    measure: async (durationMs) => {
      turn += 1;
      const used = await startMeter(clients.map(({ pid }) => pid));
      const startedAt = performance.now();
      const count = await changeVoyages(clients, { voyageKeys, mark: `${mark}${turn}`, durationMs });
      const tookMs = performance.now() - startedAt;
      changer.acknowledged += count;
      return { perSecond: (count * 1000) / tookMs, databaseUs: ((await used()) * 1000) / count };
    },
  };
  return changer;
}

async function compareChangers(
  { sizes, ledger }: QueueingRun,
  change: string,
  changers: readonly Changer[],
): Promise<QueueingCost> {
  const measured = await measureInRounds(changers, sizes.queueing);
  for (const { name, databaseUrl, mark, acknowledged } of changers) {
    const queued = await countQueued(databaseUrl, mark);
    ledger.expect(`${change}, ${name}: an event in the queue for every acknowledged change`, acknowledged, queued);
  }
  return { change, atCommit: measured.get(names.atCommit)!, plain: measured.get(names.plain)! };
}
