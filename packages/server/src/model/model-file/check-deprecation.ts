// Checks the dates of a deprecation in a model file.

import { type Deprecation, parseDay } from '../deprecation.ts';
import type { Mistake } from './mistake.ts';

export function checkDeprecation({ since, sunset }: Partial<Deprecation>, place: string): Mistake[] {
  const from = since === undefined ? undefined : parseDay(since);
  const until = sunset === undefined ? undefined : parseDay(sunset);
  const isEarlier = from !== undefined && until !== undefined && until < from;
  return [
    ...(since === undefined ? [{ place: `${place}.since`, message: 'is missing; a deprecation needs it.' }] : []),
    ...(since !== undefined && from === undefined ? [{ place: `${place}.since`, message: notADay }] : []),
    ...(sunset !== undefined && until === undefined ? [{ place: `${place}.sunset`, message: notADay }] : []),
    // RFC 9745 §4.
    ...(isEarlier ? [{ place: `${place}.sunset`, message: 'must not be before since.' }] : []),
  ];
}

const notADay = 'must be a day like 2026-11-15.';
