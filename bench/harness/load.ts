// What a load is, and what came of it: the words that the load generator and its driver exchange.

export interface LoadPlan {
  origin: string;
  /** Kept alive; each has one request under way at any time, and sends the next when the answer is complete. */
  connections: number;
  method: 'GET' | 'PUT' | 'POST';
  /** Taken in turn. */
  paths: string[];
  headers: Record<string, string>;
  /** `{n}` stands for a number that no other request of the plan has. */
  body?: string;
  expectedStatus: number;
  durationMs: number;
}

export interface LoadResult {
  /** Answered while the clock ran. */
  completed: number;
  durationMs: number;
  /** Answered as expected at any time: also the first request of each connection, and the last ones under way. */
  acknowledged: number;
  /** Anything else, by what it was. */
  failures: Record<string, number>;
  latencyMs: { p50: number; p95: number; p99: number; max: number };
  first: { headers: Record<string, string | string[] | undefined>; body: string };
  /** How much of the time the generator itself was at work; near 1 it measures itself. */
  generatorBusy: number;
}

export function perSecond({ completed, durationMs }: LoadResult): number {
  return (completed * 1000) / durationMs;
}

export function failureCount({ failures }: LoadResult): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0);
}
