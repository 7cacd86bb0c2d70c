// The public interface of the package.

export { given, type LanedItem, serveItems } from './serve-items.ts';
export { type ItemResult, PoolBusy, WorkerPool } from './worker-pool.ts';
