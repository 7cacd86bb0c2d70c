// The second entry point, `/inspect`: internals for programs that test or disturb an embedded server from outside.
// Everyone else needs `index.ts` only.

// The files in a data folder.

export { clusterFolder } from './cluster-plan.ts';
export { readPassword } from './database-password.ts';

// The processes of a server.

export { inspectProcess, type ProcessFacts } from './process-facts.ts';
export { clusterName } from './server-settings.ts';

// A server without supervision.

export { type BareServer, startBareServer } from './bare-server.ts';

// Its address.

export { type ServerAddress, serverUrl } from './server-url.ts';
