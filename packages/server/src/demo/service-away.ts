// Recognises responses that mean "not now": the service is starting, stopping, overloaded or without its database, so
// the request should be retried.

export interface Away {
  kind: 'away';
  reason: string;
  /** The wait that the service asks for. */
  retryAfterMs?: number;
}

export const noConnection: Away = { kind: 'away', reason: 'no connection' };

/** Undefined if the service is available. Only then is the body left unread. */
export async function judgeAway(response: Response): Promise<Away | undefined> {
  if (![429, 502, 503, 504].includes(response.status)) return undefined;
  await response.body?.cancel();
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const waitMs = Number.isFinite(retryAfter) ? { retryAfterMs: Math.min(retryAfter, 30) * 1000 } : {};
  return { kind: 'away', reason: `status ${response.status}`, ...waitMs };
}
