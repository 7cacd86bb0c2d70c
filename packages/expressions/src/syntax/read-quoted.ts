// Reads quoted literals with all escapes of Java: strings in double quotes, text blocks, and single quotes. A line end
// inside plain quotes is a mistake, and so is a missing closing quote.

import { ExpressionSyntaxError, type Span } from './mistake.ts';

export interface Quoted extends Span {
  /** The literal as written, including the quotes. */
  text: string;
  value: string;
}

export function readText(source: string, start: number): Quoted {
  return source.startsWith('"""', start) ? readBlock(source, start) : readBetween(source, start, '"');
}

export function readQuoted(source: string, start: number): Quoted {
  return readBetween(source, start, "'");
}

function readBetween(source: string, start: number, quote: string): Quoted {
  let at = start + 1;
  while (at < source.length && source[at] !== quote && !isLineEnd(source[at])) {
    at += source[at] === '\\' && !isLineEnd(source[at + 1]) ? 2 : 1;
  }
  if (source[at] !== quote) {
    throw new ExpressionSyntaxError({ start, end: start + 1 }, `The text that starts here has no closing ${quote}.`);
  }
  return { start, end: at + 1, text: source.slice(start, at + 1), value: resolve(source, start + 1, at) };
}

/** A text block (JLS §3.10.6): the text starts on the next line, and the common indentation is removed. */
function readBlock(source: string, start: number): Quoted {
  const opening = /"""[ \t\f]*(?:\r\n|\r|\n)/y;
  opening.lastIndex = start;
  const opened = opening.exec(source);
  if (!opened) {
    throw new ExpressionSyntaxError({ start, end: start + 3 }, 'A text block begins on the line after its """.');
  }
  const from = start + opened[0].length;
  let at = from;
  while (at < source.length && !source.startsWith('"""', at)) at += source[at] === '\\' ? 2 : 1;
  if (at >= source.length) {
    throw new ExpressionSyntaxError({ start, end: start + 3 }, 'The text block that starts here has no closing """.');
  }
  const raw = stripIndent(source.slice(from, at));
  return { start, end: at + 3, text: source.slice(start, at + 3), value: resolveBlock(raw, start) };
}

function stripIndent(block: string): string {
  const lines = block.split(/\r\n|\r|\n/);
  const last = lines.length - 1;
  // The last line counts even if it is blank, because it contains the closing quotes.
  const counting = lines.filter((line, index) => /[^ \t\f]/.test(line) || index === last);
  const indent = Math.min(...counting.map((line) => /^[ \t\f]*/.exec(line)![0].length));
  return lines.map((line) => line.slice(indent).replace(/[ \t\f]+$/, '')).join('\n');
}

/** Removing the indentation has changed the offsets, so a mistake points at the opening quotes of the block. */
function resolveBlock(raw: string, start: number): string {
  try {
    return resolve(raw, 0, raw.length);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError)
      throw new ExpressionSyntaxError({ start, end: start + 3 }, error.message);
    throw error;
  }
}

function resolve(source: string, from: number, to: number): string {
  let value = '';
  let at = from;
  while (at < to) {
    if (source[at] !== '\\') {
      value += source[at++];
      continue;
    }
    const read = readEscape(source, at);
    value += read.value;
    at = read.end;
  }
  return value;
}

function readEscape(source: string, start: number): { value: string; end: number } {
  const form = /\\(?:u+([\da-fA-F]{4})|([0-3][0-7]{0,2}|[4-7][0-7]?)|([btnfrs"'\\\n]))/y;
  form.lastIndex = start;
  const match = form.exec(source);
  const span = { start, end: start + (match?.[0].length ?? 2) };
  if (!match) throw new ExpressionSyntaxError(span, `Java has no escape ${source.slice(start, start + 2)} in a text.`);
  const [, unicode, octal, letter] = match;
  if (letter !== undefined) return { value: simpleEscapes.get(letter)!, end: span.end };
  const value = String.fromCharCode(unicode === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(unicode, 16));
  // Java translates \u before anything else, so these would end the string or begin another escape.
  if (unicode !== undefined && /["'\\\n\r]/.test(value)) {
    throw new ExpressionSyntaxError(span, `${match[0]} cannot be used in a text: write the plain escape instead.`);
  }
  return { value, end: span.end };
}

const simpleEscapes = new Map([
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['f', '\f'],
  ['r', '\r'],
  ['s', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['\n', ''],
]);

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}
