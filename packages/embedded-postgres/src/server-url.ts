// The connection URLs of the embedded server.

import { hasSocket } from './unix-socket.ts';

export interface ServerAddress {
  /** The name of the role, and of its database. */
  readonly name: string;
  readonly password: string;
  readonly port: number;
}

/** The URL for TCP. */
export function serverUrl({ name, password, port }: ServerAddress, database = name): string {
  return `postgres://${name}:${password}@127.0.0.1:${port}/${database}`;
}

/** The URL of the fastest connection to a server that is ready: its Unix socket, in the cluster folder, or else TCP. */
export async function nearestUrl(address: ServerAddress, cluster: string): Promise<string> {
  const url = serverUrl(address);
  return (await hasSocket(cluster, address.port)) ? `${url}?host=${encodeURIComponent(cluster)}` : url;
}
