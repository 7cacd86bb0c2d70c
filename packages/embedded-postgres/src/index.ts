// The public interface of this package. `inspect.ts` has the internals that tests and benchmarks need.

// A server for the lifetime of a program.

export { EmbeddedServer, type EmbeddedServerOptions } from './embedded-server.ts';

// A server for the length of a command, which may run beside the program.

export {
  findRunningServer,
  type ReachedServer,
  type ReachServerOptions,
  type RunningServerOptions,
  reachServer,
} from './reach-server.ts';

// What a server reports.

export type { OnEvent, ServerEvent } from './server-event.ts';

// Errors that the operator can solve.

export { FolderInUse } from './claim-folder.ts';
export { EmbeddedServerError } from './embedded-server-error.ts';

// A free loopback port.

export { findFreePort } from './free-port.ts';
