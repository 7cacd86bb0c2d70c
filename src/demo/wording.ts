// How the demo says things to a person: short dates, and amounts with thousands separated.

/** `14 Nov 06:00`, in UTC as everything in the service. */
export function shortDate(date: Date): string {
  const [, month = '', day, time] = /^\d+-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(date.toISOString()) ?? [];
  return `${day} ${months[Number(month) - 1]} ${time}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function amount(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 2 });
}

/** The time of day where the person sits. */
export function clockTime(date: Date): string {
  return date.toTimeString().slice(0, 8);
}
