// The names of temporary subscriptions. A running listen moves the date in the name on, so a name whose date is over
// belongs to one that was killed.

import { toServiceTime } from '../command/parse-arguments.ts';

const prefix = 'flaghoist listen until ';

/** For filters. */
export const temporaryPattern = `${prefix}%`;

const lifetimeMs = 24 * 3_600_000;

/** How often a running listen renames its subscription. */
export const renewEveryMs = 6 * 3_600_000;

export function temporaryName(now: Date): string {
  return `${prefix}${toServiceTime(new Date(now.getTime() + lifetimeMs))}`;
}

export function isLeftOver(name: string | null, now: Date): boolean {
  const time = name?.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(time) && time < toServiceTime(now);
}
