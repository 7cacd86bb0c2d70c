// Parses a date with or without time, zone and fraction, and returns the form that is stored: UTC, to the second.
// Rejects dates that do not exist and years outside 0001 to 9999.

/** `yyyy-MM-ddTHH:mm:ss` in UTC. Fractions of a second are dropped; a date without a time means midnight. */
export function parseDateTime(text: string): string | undefined {
  const parts = dateTimeForm.exec(text);
  if (parts === null) return undefined;
  const [, date = '', hour = '00', minute = '00', second = '00', zone = 'Z'] = parts;
  const written = `${date}T${hour}:${minute}:${second}`;
  const time = Date.parse(`${written}Z`);
  // JavaScript accepts 30 February as 2 March, and 24:00 as midnight of the next day.
  if (Number.isNaN(time) || renderDateTime(new Date(time)) !== written) return undefined;
  const offsetMs = parseZone(zone);
  if (offsetMs === undefined) return undefined;
  const moment = new Date(time - offsetMs);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? renderDateTime(moment) : undefined;
}

function renderDateTime(date: Date): string {
  return date.toISOString().slice(0, 19);
}

const dateTimeForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

function parseZone(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  const offsetMs = (hours * 60 + minutes) * 60_000;
  return zone.startsWith('-') ? -offsetMs : offsetMs;
}
