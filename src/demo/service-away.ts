// Tells an answer that means "not now" from all others: the service is starting, stopping, overloaded or without its
// database, and worth asking again.

export interface Away {
  kind: 'away';
  reason: string;
  /** What the service itself asks for. */
  retryAfterMs?: number;
}

export const noConnection: Away = { kind: 'away', reason: 'no connection' };

/** Undefined: the service is there. The body is left to be read then, and only then. */
export async function judgeAway(response: Response): Promise<Away | undefined> {
  if (![429, 502, 503, 504].includes(response.status)) return undefined;
  await response.body?.cancel();
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const waitMs = Number.isFinite(retryAfter) ? { retryAfterMs: Math.min(retryAfter, 30) * 1000 } : {};
  return { kind: 'away', reason: `status ${response.status}`, ...waitMs };
}
