// The connections of a pool. With several hosts, each leads to the host that is the primary when it is opened, and is
// cut when another host becomes the primary.

import type { ClientConfig } from 'pg';
import { DatabaseClient } from './database-client.ts';
import type { ServerHosts } from './server-hosts.ts';

/** The pool calls the constructor for each connection that it opens. */
export function poolClient(hosts: ServerHosts): typeof DatabaseClient {
  if (!hosts.areSeveral) return DatabaseClient;
  return class extends DatabaseClient {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: withoutTimeLimit(hosts.url) });
      hosts.follow(this);
    }
  };
}

/** Removes the driver's time limit, which would be a second one with its own errors; see `statement-batch.ts`. */
export function withoutTimeLimit(url: string): string {
  return url.replace(/(?<=[?&])query_timeout=[^&]*&?/, '');
}
