// Times: relative below an hour, else local; UTC with milliseconds on hover. All relative times of the page share one
// timer.

import { signal } from '@preact/signals';

const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

/** The time of day, for dates. Durations are measured by `performance.now()`. */
export function timeOfDayMs(): number {
  return Date.now();
}

/** `at`: as the service sends it, with or without a zone; without one it is UTC. */
export function parseTime(at: string): Date {
  return new Date(/(Z|[+-]\d\d:\d\d)$/.test(at) ? at : `${at}Z`);
}

export function Time({ at, absolute = false }: { at: string | null | undefined; absolute?: boolean }) {
  if (!at) return <span class="faint">–</span>;
  const date = parseTime(at);
  return (
    <time dateTime={date.toISOString()} title={`${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`}>
      {absolute ? localTime(date) : relativeTime(date, now.value)}
    </time>
  );
}

/** The time until something is due; `now` when it is. */
export function TimeUntil({ at }: { at: string }) {
  const date = parseTime(at);
  const title = `${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
  return (
    <time dateTime={date.toISOString()} title={title}>
      {date.getTime() <= now.value ? 'now' : relativeTime(date, now.value)}
    </time>
  );
}

export function relativeTime(date: Date, nowMs: number): string {
  const seconds = Math.round((nowMs - date.getTime()) / 1000);
  const size = Math.abs(seconds);
  if (size >= 3_600) return localTime(date, nowMs);
  const text = size < 60 ? `${size} s` : `${Math.floor(size / 60)} min`;
  if (size < 2) return 'now';
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const yearAndDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Short: the day is left out today, the year in this year. */
export function localTime(date: Date, nowMs = Date.now()): string {
  const today = new Date(nowMs);
  if (date.toDateString() === today.toDateString()) return clockTime.format(date);
  return (date.getFullYear() === today.getFullYear() ? dayAndTime : yearAndDay).format(date);
}

/** For example `14 ms`, `2.3 s`, `4 min`. */
export function durationText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 48 * 3_600_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}
