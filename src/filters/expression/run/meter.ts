// What one evaluation may use up: steps, and the size of a text. Reading and comparing cost nothing, since the size of
// an expression bounds them; whatever repeats or grows is charged here.

import { JavaFailure } from './java-failure.ts';

export interface Meter {
  stepsLeft: number;
  /** The time of the evaluation, the same all through it; looked up when it is first asked for. */
  nowMs: number | undefined;
}

export function nowOf(meter: Meter): number {
  meter.nowMs ??= Date.now();
  return meter.nowMs;
}

/** Ten milliseconds of the dearest kind of work. */
export const stepsMax = 200_000;

export function spend(meter: Meter, steps: number): void {
  meter.stepsLeft -= steps;
  if (meter.stepsLeft < 0) throw new JavaFailure('LimitExceeded', `it takes more than ${stepsMax} steps`);
}

/** For going once through a text, which is quick. */
export function spendText(meter: Meter, length: number): void {
  spend(meter, length >> 3);
}

/**
 * For looking for a part in a text. Engines look for long parts by comparing at every place (measured: 60,000 characters
 * for 30,000 take a third of a second), some 256 characters in the time of a step.
 */
export function searchCost(length: number, partLength: number): number {
  const places = Math.max(0, length - partLength + 1);
  return (length >> 2) + Math.floor((places * partLength) / 256);
}

export const textMax = 65_536;

export function boundText(length: number): void {
  if (length > textMax) throw new JavaFailure('LimitExceeded', `it makes a text of more than ${textMax} characters`);
}
