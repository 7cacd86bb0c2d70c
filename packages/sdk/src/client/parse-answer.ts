// Reads the JSON of an answer. With `exactNumbers`, a number that a double cannot hold becomes a string.

import { FlaghoistError } from '../flaghoist-error.ts';

/** `operation` opens the message of the error: `GET /ws/rest/Voyage/1007`. */
export function parseAnswer(text: string, exactNumbers: boolean, operation = 'The request'): unknown {
  try {
    return JSON.parse(exactNumbers ? quoteLongNumbers(text) : text);
  } catch (cause) {
    const problem = `${operation} was answered with broken JSON, of ${text.length} characters.`;
    throw new FlaghoistError('invalidAnswer', `${problem} Was it cut off on its way?`, { cause });
  }
}

/** Strings are skipped as a whole: a number in a string stays as it is. */
function quoteLongNumbers(text: string): string {
  const token = /"|-?\d[\d.eE+-]*/g;
  let quoted = '';
  let copied = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [number] = found;
    if (number === '"') token.lastIndex = endOfString(text, found.index);
    else if (!isHeld(number)) {
      quoted += `${text.slice(copied, found.index)}"${number}"`;
      copied = token.lastIndex;
    }
  }
  return quoted + text.slice(copied);
}

/** A quote after an odd number of backslashes is part of the string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

/** A double holds all numbers of 15 digits. */
function isHeld(number: string): boolean {
  return /^[\d.-]{1,15}$/.test(number) || digitsOf(number) === digitsOf(String(Number(number)));
}

/** The same for all ways to write a number: `1.50` and `15e-1` are `15e-1`. */
function digitsOf(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
