// The limits of one evaluation (the number of steps, and the length of a text) and its clock. Reading and comparing
// values is free, because the size of the expression bounds it. Work that repeats or grows is charged here.

import { JavaFailure } from './java-failure.ts';

export interface Meter {
  stepsLeft: number;
  /** The current time, constant during an evaluation; read on first use. */
  nowMs: number | undefined;
}

export function nowOf(meter: Meter): number {
  meter.nowMs ??= Date.now();
  return meter.nowMs;
}

/** Ten milliseconds of the most expensive kind of work. */
export const stepsMax = 200_000;

export function spend(meter: Meter, steps: number): void {
  meter.stepsLeft -= steps;
  if (meter.stepsLeft < 0) throw new JavaFailure('LimitExceeded', `the evaluation takes more than ${stepsMax} steps`);
}

/** One pass through a text is cheap: eight characters cost one step. */
export function spendText(meter: Meter, length: number): void {
  spend(meter, length >> 3);
}

/**
 * The cost of searching a text for a part: a step for four characters of the text, and one for 256 compared characters,
 * because JavaScript engines compare long parts at every position. Measured: searching 60,000 characters for a part of
 * 30,000 takes a third of a second.
 */
export function searchCost(length: number, partLength: number): number {
  const positions = Math.max(0, length - partLength + 1);
  return (length >> 2) + Math.floor((positions * partLength) / 256);
}

export const textMax = 65_536;

export function checkTextLength(length: number): void {
  if (length > textMax) throw new JavaFailure('LimitExceeded', `the text would have more than ${textMax} characters`);
}
