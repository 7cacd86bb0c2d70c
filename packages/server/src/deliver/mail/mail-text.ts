// Plain-text rendering that both kinds of mail share: times, tables and shortened values.

/** `14 September 2026, 08:15:22 UTC`, without seconds if they are zero. */
export function renderTime(time: Date): string {
  return `${renderDay(time)}, ${time.toISOString().slice(11, 19).replace(/:00$/, '')} UTC`;
}

/** Renders `yyyy-MM-ddTHH:mm:ss` in UTC like `renderTime`; returns any other text unchanged. */
export function renderDateTime(text: string): string {
  return dateTime.test(text) ? renderTime(new Date(`${text}Z`)) : text;
}

const dateTime = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

export function renderDay(time: Date): string {
  return days.format(time);
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Further lines of a value are indented below its first line. */
export function renderTextTable(rows: readonly { label: string; value: string }[]): string {
  const width = Math.min(Math.max(...rows.map(({ label }) => label.length), 0), widthMax);
  const indent = `\n${' '.repeat(width + 4)}`;
  return rows.map(({ label, value }) => `  ${label.padEnd(width)}  ${value.replace(/\s*\n\s*/g, indent)}`).join('\n');
}

const widthMax = 32;

/** Cuts the text to `lengthMax`, but never in the middle of a surrogate pair. */
export function shorten(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** `Voyage.C, Voyage.U, *.D and 4 more`. */
export function enumerate(texts: readonly string[]): string {
  const shown = texts.slice(0, enumeratedMax).join(', ');
  return texts.length > enumeratedMax ? `${shown} and ${texts.length - enumeratedMax} more` : shown;
}

const enumeratedMax = 3;

/** `1 notification`, `38 notifications`. */
export function renderCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The two largest units: `4 minutes`, `1 hour 30 minutes`, `2 days 3 hours`. */
export function renderDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const first = units.findIndex(([, size]) => seconds >= size);
  const parts = units.slice(first, first + 2).map(([noun, size], index) => {
    const whole = index === 0 ? seconds : seconds % units[first]![1];
    return { count: Math.floor(whole / size), noun };
  });
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, noun }) => renderCount(count, noun))
    .join(' ');
}

const units: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
