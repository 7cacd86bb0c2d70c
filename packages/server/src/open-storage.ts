// The storage of a service: the database server, migrated, with a pool for requests, and the encryption key. Also what
// most parts of a service need.

import { loadEncryption } from './auth/encryption/encryption-key.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './config/settings-table.ts';
import { ClientShares } from './database/client-shares.ts';
import { Database, type DatabaseOptions } from './database/database.ts';
import { migrateServer } from './database/migrate.ts';
import { openServer } from './database/open-server.ts';
import { ServerWatch } from './database/server-watch.ts';
import { ResponsesInFlight } from './edge/response/responses-in-flight.ts';
import type { Model } from './model/object-type.ts';
import type { Observe } from './observe/observation.ts';
import type { Tracing } from './observe/traces/tracing.ts';
import type { Links } from './query/view-columns.ts';
import type { StopStep } from './stop-steps.ts';

/** What most parts need. */
export interface Core {
  settings: Settings;
  clock: Clock;
  observe: Observe;
  /** Undefined if it is off. */
  tracing: Tracing | undefined;
  /** In the order of the start. */
  stops: StopStep[];
  model: Model;
  /** The model with the names that callers use. */
  wireModel: Model;
  modelDigest: string;
  baseUrl: string;
  links: Links;
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** The database server, migrated; the pool for requests, and `open` for further pools; the encryption key. */
export async function openStorage({ settings, observe, tracing, stops, model }: Core) {
  const { hosts, version, close } = await openServer(settings, observe);
  stops.push(close);
  const steps = await migrateServer(hosts.url, model);
  if (steps.length > 0) observe({ kind: 'database.migrated', steps });
  const watch = new ServerWatch(hosts, observe);
  stops.push(() => watch.stop());
  const open = (connectionsMax: number, options: Partial<DatabaseOptions>) => {
    const { statementTimeoutMs } = settings;
    const shared = { url: hosts.url, observe, watch, tracing };
    const opened = new Database({ ...shared, connectionsMax, statementTimeoutMs, ...options });
    stops.push(() => opened.close());
    return opened;
  };
  const responses: ResponsesInFlight = new ResponsesInFlight({
    bytesMax: settings.answerBytesMax,
    onFreed: (client) => shares.wake(client),
  });
  const shares = new ClientShares({
    connections: settings.databaseConnections,
    mayStart: (client) => responses.mayStart(client),
  });
  const database = open(settings.databaseConnections, { shares });
  return { hosts, version, open, responses, database, encryption: await loadEncryption(settings, database) };
}
