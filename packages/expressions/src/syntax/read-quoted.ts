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
  const value = resolveEscapes(source.slice(start + 1, at), (offset, length) => {
    const from = start + 1 + offset;
    return { start: from, end: from + length };
  });
  return { start, end: at + 1, text: source.slice(start, at + 1), value };
}

/** A text block (JLS §3.10.6): the text starts on the next line, and the common indentation is removed. */
function readBlock(source: string, start: number): Quoted {
  const quotes = { start, end: start + 3 };
  const opening = /"""[ \t\f]*(?:\r\n|\r|\n)/y;
  opening.lastIndex = start;
  const opened = opening.exec(source);
  if (!opened) throw new ExpressionSyntaxError(quotes, 'A text block begins on the line after its """.');
  const from = start + opened[0].length;
  let at = from;
  while (at < source.length && !source.startsWith('"""', at)) at += source[at] === '\\' ? 2 : 1;
  if (at >= source.length)
    throw new ExpressionSyntaxError(quotes, 'The text block that starts here has no closing """.');
  // Removing the indentation changes the offsets, so a mistake points at the opening quotes of the block.
  const value = resolveEscapes(stripIndent(source.slice(from, at)), () => quotes);
  return { start, end: at + 3, text: source.slice(start, at + 3), value };
}

function stripIndent(block: string): string {
  const lines = block.split(/\r\n|\r|\n/);
  const last = lines.length - 1;
  // The last line counts even if it is blank, because it contains the closing quotes.
  const counting = lines.filter((line, index) => /[^ \t\f]/.test(line) || index === last);
  const indent = Math.min(...counting.map((line) => /^[ \t\f]*/.exec(line)![0].length));
  return lines.map((line) => line.slice(indent).replace(/[ \t\f]+$/, '')).join('\n');
}

function resolveEscapes(text: string, spanAt: (offset: number, length: number) => Span): string {
  const escapeForm = /\\(?:u+([\da-fA-F]{4})|([0-3][0-7]{0,2}|[4-7][0-7]?)|([\s\S]?))/g;
  return text.replace(escapeForm, (written: string, unicode?: string, octal?: string, letter?: string, at = 0) => {
    if (letter !== undefined) {
      const value = simpleEscapes.get(letter);
      if (value !== undefined) return value;
      throw new ExpressionSyntaxError(spanAt(at, 2), `Java has no escape ${written} in a text.`);
    }
    const value = String.fromCharCode(
      unicode === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(unicode, 16),
    );
    if (unicode === undefined || !/["'\\\n\r]/.test(value)) return value;
    // Java translates \u before anything else, so these would end the string or begin another escape.
    const message = `${written} cannot be used in a text: write the plain escape instead.`;
    throw new ExpressionSyntaxError(spanAt(at, written.length), message);
  });
}

const simpleEscapes = new Map([
  ...Object.entries({ b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', s: ' ', '"': '"', "'": "'", '\\': '\\' }),
  ['\n', ''],
]);

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}
