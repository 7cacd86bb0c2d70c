// What the model says of a type, an attribute or an action that is deprecated: since when, until when, and what to use.

export interface Deprecation {
  /** The day from which it is deprecated: `2026-11-15`. It may be in the future. */
  readonly since: string;
  /** The day from which it may be gone. */
  readonly sunset?: string;
  /** What to use. */
  readonly instead?: string;
}

/** A day in UTC, as milliseconds since 1970. Undefined if there is no such day. */
export function parseDay(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? undefined : ms;
}

export function describeDeprecation({ since, sunset, instead }: Deprecation): string {
  const end = sunset === undefined ? '' : `, and may be removed from ${sunset} on`;
  return `Deprecated since ${since}${end}.${instead === undefined ? '' : ` Instead: ${instead.replace(/\.?$/, '.')}`}`;
}
