// JSON whose numbers keep all their digits. A decimal of the service has up to 24; a number of JavaScript has 15.

/** A number that JavaScript cannot hold exactly, as it was sent or typed. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

interface ReviverContext {
  source?: string;
}

/** Browsers that do not show a reviver the source of a number show long numbers rounded. */
export function parseExactly<T>(text: string): T {
  const revive = (_: string, value: unknown, context?: ReviverContext) =>
    typeof value === 'number' && context?.source !== undefined && isRounded(value, context.source)
      ? new ExactNumber(context.source)
      : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as T;
}

function isRounded(value: number, source: string): boolean {
  return String(value) !== source && trimmed(source) !== trimmed(String(value));
}

/** Without zeros that say nothing: `1.50` is `1.5`. */
function trimmed(number: string): string {
  return number.includes('.') && !/e/i.test(number) ? number.replace(/\.?0+$/, '') : number;
}

export function writeExactly(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeExactly).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeExactly(member)}`).join(',')}}`;
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** What a person typed as a number; undefined if it is none. */
export function parseTyped(text: string): number | ExactNumber | undefined {
  const plain = text.trim().replace(/^\+/, '');
  if (!number.test(plain)) return undefined;
  return isRounded(Number(plain), plain) ? new ExactNumber(plain) : Number(plain);
}
