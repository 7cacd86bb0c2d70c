// Dates of the demo: milliseconds to calculate with, text on the wire (UTC, without a zone), and text for a person.

import { renderDateTime } from '../clock.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Rounded to six minutes: ships' logs record time in tenths of an hour. */
export function toWire(timeMs: number): string {
  return renderDateTime(new Date(Math.round(timeMs / (hourMs / 10)) * (hourMs / 10)));
}

/** NaN if there is no date. */
export function fromWire(date: string | null | undefined): number {
  return Date.parse(`${date}Z`);
}

export function delayed(date: string, delayMs: number): string {
  return toWire(fromWire(date) + delayMs);
}

/** `14 Nov 06:00` */
export function shortDate(date: string): string {
  const text = new Date(fromWire(date)).toUTCString();
  return `${text.slice(5, 11)} ${text.slice(17, 22)}`;
}
