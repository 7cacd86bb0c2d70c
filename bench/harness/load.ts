// A load and its result: the messages between the load generator and its driver.

export interface LoadPlan {
  /** The connections are spread over them. */
  origins: string[];
  /** Kept alive. Each has one request in flight, and sends the next when the response is complete. */
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
  /** Answered during the measurement. */
  completed: number;
  durationMs: number;
  /** All expected responses, including those to the first request of each connection and to the last ones in flight. */
  acknowledged: number;
  /** All other results, by kind. */
  failures: Record<string, number>;
  latencyMs: { p50: number; p95: number; p99: number; max: number };
  first: { headers: Record<string, string | string[] | undefined>; body: string };
  /** The share of time that the generator was busy. Near 1, it measures itself. */
  generatorBusy: number;
}

export function perSecond({ completed, durationMs }: LoadResult): number {
  return (completed * 1000) / durationMs;
}

export function failureCount({ failures }: LoadResult): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0);
}
