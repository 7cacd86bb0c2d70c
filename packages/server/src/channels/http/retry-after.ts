// Parses `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.

const answeredBy: ReadonlySet<number> = new Set([429, 503]);
const longestMs = 86_400_000;

export function readRetryAfter(statusCode: number, header: string | string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header.trim() : header?.[0]?.trim();
  if (text === undefined || !answeredBy.has(statusCode)) return undefined;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : dateOf(text) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), longestMs);
}

/** `Date.parse` accepts almost anything: it reads `-5` as a date in 2001. */
function dateOf(text: string): number {
  return /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}
