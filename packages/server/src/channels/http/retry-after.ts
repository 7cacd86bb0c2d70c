// Parses `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.

const longestMs = 86_400_000;

/** In milliseconds from now; undefined if there is no valid value. */
export function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = [header].flat()[0]?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : parseDate(text) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), longestMs);
}

/** `Date.parse` accepts almost anything: it reads `-5` as a date in 2001. */
function parseDate(text: string): number {
  return /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}
