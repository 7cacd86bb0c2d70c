// Parses a grace period (`30m`, `24h`, `7d` or a number of seconds) to seconds.

import { InvalidArgumentError } from 'commander';
import { graceMaxSeconds } from '../model/catalogue/access.ts';

export function parseGrace(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,7})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(amount) * (unitSeconds.get(unit) ?? 1);
  if (seconds <= graceMaxSeconds) return seconds;
  throw new InvalidArgumentError('Give a time from 0 to 30d, such as 30m, 24h, 7d, or a number of seconds.');
}

const unitSeconds = new Map([
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
]);
