// How the demo formats values for a person: short dates, times, and amounts with thousands separators.

/** `14 Nov 06:00`, in UTC like all dates of the service. */
export function shortDate(date: Date): string {
  const [, month = '', day, time] = /^\d+-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(date.toISOString()) ?? [];
  return `${day} ${months[Number(month) - 1]} ${time}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function amount(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 2 });
}

/** The local time of day. */
export function clockTime(date: Date): string {
  return date.toTimeString().slice(0, 8);
}
