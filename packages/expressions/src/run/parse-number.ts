// Parses numbers from text while an expression runs, for parseInt, valueOf and similar methods.

import { quoteText } from '@flaghoist/source-text';
import { JavaFailure } from './java-failure.ts';
import { type Long, wrapLong } from './java-number.ts';
import { type Meter, spendText } from './meter.ts';

export function parseInteger(text: string | null): number {
  return Number(parseWhole(text, 32));
}

export function parseLong(text: string | null): Long {
  return wrapLong(parseWhole(text, 64));
}

function parseWhole(text: string | null, bits: number): bigint {
  if (text !== null && text.length < 100 && /^[+-]?\d+$/.test(text)) {
    const value = BigInt(text.replace('+', ''));
    if (BigInt.asIntN(bits, value) === value) return value;
  }
  throw notNumber(text);
}

export function parseDouble(text: string, meter: Meter): number {
  spendText(meter, text.length);
  const parts = fractionForm.exec(text.slice(firstSign(text)));
  if (!parts) throw notNumber(text);
  return parts[1] === '-' ? -Number(parts[2]) : Number(parts[2]);
}

// Spaces and control characters may follow the number. The number itself contains none, so matching takes linear time.
const fractionForm = /^([+-]?)(NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[fFdD]?[\0- ]*$))[fFdD]?[\0- ]*$/;

function firstSign(text: string): number {
  let at = 0;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

export function notNumber(text: string | null): JavaFailure {
  return new JavaFailure(
    'NumberFormatException',
    text === null ? 'null is not a number' : `${quoteText(text)} is not a number`,
  );
}
