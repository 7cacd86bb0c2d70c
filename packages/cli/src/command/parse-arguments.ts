// Reads keys, numbers and times from arguments. A mistake names the option.

import { parseDateTime, quoteText } from '@flaghoist/source-text';
import { usageError } from './command-error.ts';

/** `name`: of the option or argument, for the error. */
export function parseKey(name: string, text: string): number {
  if (!isKey(text)) throw usageError(`${name}: ${quoteText(text)} is not a key; a positive integer was expected.`);
  return Number(text);
}

export function isKey(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));
}

/** `1077,1078` */
export function parseKeys(name: string, text: string): number[] {
  return text.split(',').map((one) => parseKey(name, one.trim()));
}

export function parseCount(name: string, text: string, minimum = 1): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < minimum)
    throw usageError(`${name}: ${quoteText(text)} is not a number; an integer from ${minimum} was expected.`);
  return Number(text);
}

export function parseSeconds(name: string, text: string): number {
  if (!/^\d{1,6}(\.\d+)?$/.test(text) || !(Number(text) > 0))
    throw usageError(`${name}: ${quoteText(text)} is not a number of seconds.`);
  return Number(text);
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `2h` before `now`, or a time like `2026-11-15T08:30:00`. In the form of the service, in UTC. */
export function parseSince(name: string, text: string, now: Date): string {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) {
    const time = parseDateTime(text);
    if (time !== undefined) return time;
    throw usageError(
      `${name}: ${quoteText(text)} is not a time. Use one like 30m, 2h, 3d or 2026-11-15T08:30:00 (UTC).`,
    );
  }
  return toServiceTime(new Date(now.getTime() - Number(amount) * unitSeconds[unit]! * 1000));
}

/** `yyyy-MM-ddTHH:mm:ss`, in UTC. */
export function toServiceTime(date: Date): string {
  return date.toISOString().slice(0, 19);
}
