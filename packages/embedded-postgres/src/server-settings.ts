// The settings of the embedded server, as arguments of `postgres`. They leave durability at PostgreSQL's defaults:
// fsync and synchronous_commit stay on.

import { createHash } from 'node:crypto';

export interface ServerPlace {
  /** The folder of the database. */
  cluster: string;
  /** How the server finds its folder; see `folderArgument` in `run-as.ts`. */
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

/** Identifies the server of this folder by its command line, which every user can read. */
export function clusterName(cluster: string): string {
  return `embedded-postgres-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
}

const fixedSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  // There are no replicas: bulk loads can skip the log for tables created in the same transaction.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  // Compiling takes longer than short statements do.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // The rows and statements behind an error may contain personal data, which must not be logged.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};
