// The public interface of the package.

export { type ItemResult, PoolBusy } from './pool-thread.ts';
export { given, type LanedItem, serveItems } from './serve-items.ts';
export { WorkerPool } from './worker-pool.ts';
