// The ranges of the statistics, and the steps that they are counted in. Every step is kept somewhat longer than it is
// needed.

interface Range {
  stepMinutes: number;
  points: number;
}

export const ranges = {
  HOUR: { stepMinutes: 1, points: 60 },
  DAY: { stepMinutes: 15, points: 96 },
  WEEK: { stepMinutes: 120, points: 84 },
} as const satisfies Record<string, Range>;

const [anHour, aDay] = [60, 24 * 60];

export const steps = [
  { minutes: ranges.HOUR.stepMinutes, keptMinutes: 2 * anHour },
  { minutes: ranges.DAY.stepMinutes, keptMinutes: aDay + 2 * anHour },
  // For the health of subscriptions, which may be read of a thousand at once.
  { minutes: anHour, keptMinutes: aDay + 2 * anHour },
  { minutes: ranges.WEEK.stepMinutes, keptMinutes: 8 * aDay },
] as const;

export const errorsKeptMinutes = 8 * aDay;
