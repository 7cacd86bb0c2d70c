// The address of the server in a database URL, by TCP or by a Unix socket, and the same URL for TCP.

import type { NetConnectOpts } from 'node:net';
import { join } from 'node:path';

export interface DatabaseEndpoint {
  target: NetConnectOpts;
  /** The caller replaces its host. */
  url: string;
}

export function endpointOf(databaseUrl: string): DatabaseEndpoint {
  const parsed = new URL(databaseUrl.replace(/^([a-z]+:\/\/[^/@]*@)\//, '$1localhost/'));
  const folder = parsed.searchParams.get('host');
  const port = parsed.searchParams.get('port') ?? (parsed.port || '5432');
  if (!folder?.startsWith('/')) return { target: { host: parsed.hostname, port: Number(port) }, url: parsed.href };
  parsed.searchParams.delete('host');
  parsed.searchParams.delete('port');
  return { target: { path: join(folder, `.s.PGSQL.${port}`) }, url: parsed.href };
}
