// The settings that the embedded server always starts with, as arguments of `postgres`. Durability is left as
// PostgreSQL has it: fsync and synchronous_commit stay on.

import { createHash } from 'node:crypto';

export interface ServerPlace {
  /** The folder of the database. */
  cluster: string;
  /** How the server is told of it. */
  folderArgument: string;
  port: number;
}

export function serverArguments(place: ServerPlace, extra: Readonly<Record<string, string>>): string[] {
  const settings = {
    ...fixedSettings,
    cluster_name: clusterName(place.cluster),
    port: String(place.port),
    ...extra,
  };
  return [
    '-D',
    place.folderArgument,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** Tells the server of this folder from all others by its command line, which every user may read. */
export function clusterName(cluster: string): string {
  return `flaghoist-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
}

const fixedSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  // One server, no replicas: bulk loads then skip the log for tables made in the same transaction.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  // Compiling costs more than these short statements take.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // The rows and statements behind an error may hold what people entered; the log is no place for that.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};
