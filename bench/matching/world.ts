// The starting point of every database of the matching benchmark: the tables of the service, voyages with port calls,
// bunker orders.

import { clientId } from '../harness/service-client.ts';
import { createDatabase, fillFleet, selectUserKey } from '../rest/fleet-table.ts';
import { fillOrders, selectOrderKeys } from './matching-table.ts';
import { startWorker } from './worker.ts';

export interface World {
  /** A template to copy. It has no connections. */
  url: string;
  userKey: number;
  orderKeys: readonly number[];
}

export async function makeWorld(serverUrl: string, orders: number): Promise<World> {
  const url = await createDatabase(serverUrl, 'bench_world');
  // The service creates the tables, the reference data and, with the role `api`, the user.
  const { program } = await startWorker(url, [], 'api,worker');
  await program.stop();
  await fillFleet(url, { voyages: orders, ports: 50, voyagesOfFirstPort: orders / 50, hasSubObjects: true });
  await fillOrders(url);
  return { url, userKey: await selectUserKey(url, clientId), orderKeys: await selectOrderKeys(url) };
}
