// Parses JSON strictly by RFC 8259, in one pass. Keeps each number as it was written, because a double would lose
// digits. Also rejects, with line and column, input that is legal but dangerous: repeated keys, keys that reach into
// prototypes, lone surrogates, NUL (PostgreSQL text cannot hold it) and nesting beyond a limit.

import { nameCodePoint, placeInText, printable, quoteText } from '@flaghoist/source-text';

/** A number as written in the text. `normalise-decimal.ts` makes it comparable. */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = null | boolean | string | NumberLiteral | JsonValue[] | JsonObject;

/** A Map, so that a key is never more than data. */
export type JsonObject = Map<string, JsonValue>;

export class JsonSyntaxError extends Error {
  /** Both count from 1. A column is one UTF-16 unit. */
  readonly line: number;
  readonly column: number;

  constructor(sentence: string, text: string, offset: number) {
    const { line, column } = placeInText(text, offset);
    super(`Line ${line}, column ${column}: ${sentence}`);
    this.name = 'JsonSyntaxError';
    this.line = line;
    this.column = column;
  }
}

export function parseJson(text: string, limits: { depthMax?: number } = {}): JsonValue {
  const reader: Reader = { text, at: 0, depth: 0, depthMax: limits.depthMax ?? 64 };
  if (text.charCodeAt(0) === 0xfeff)
    throw syntaxError(reader, 'the text starts with a byte order mark, which JSON does not allow.');
  if (skipSpace(reader) === END) throw syntaxError(reader, 'the text is empty; a JSON value was expected.');
  const value = readValue(reader);
  if (skipSpace(reader) !== END)
    throw syntaxError(reader, `nothing may follow the JSON value, but here is ${found(reader)}.`);
  return value;
}

interface Reader {
  readonly text: string;
  /** The offset of the next character to read. */
  at: number;
  depth: number;
  readonly depthMax: number;
}

/** Marks the end of the text. No UTF-16 unit is negative. */
const END = -1;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function readValue(reader: Reader): JsonValue {
  const unit = peek(reader);
  if (unit === QUOTE) return readString(reader);
  if (unit === OPEN_BRACE) return readObject(reader);
  if (unit === OPEN_BRACKET) return readArray(reader);
  if (unit === MINUS || isDigit(unit)) return readNumber(reader);
  for (const [word, value] of words) {
    if (!reader.text.startsWith(word, reader.at)) continue;
    reader.at += word.length;
    return value;
  }
  throw syntaxError(reader, `a JSON value was expected, but here is ${found(reader)}.`);
}

const words = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

function readArray(reader: Reader): JsonValue[] {
  enter(reader);
  if (skipSpace(reader) === CLOSE_BRACKET) return leave(reader, []);
  // Starts with one element: the first push to an empty array reserves space for 17.
  const elements = [readValue(reader)];
  while (skipSpace(reader) === COMMA) {
    reader.at++;
    if (skipSpace(reader) === CLOSE_BRACKET) throw syntaxError(reader, 'a list may not end with a comma.');
    elements.push(readValue(reader));
  }
  if (peek(reader) === CLOSE_BRACKET) return leave(reader, elements);
  throw syntaxError(reader, `"," or "]" was expected, but here is ${found(reader)}.`);
}

function readObject(reader: Reader): JsonObject {
  const members: JsonObject = new Map();
  enter(reader);
  if (skipSpace(reader) === CLOSE_BRACE) return leave(reader, members);
  while (true) {
    const key = readMemberName(reader, members);
    if (skipSpace(reader) !== COLON)
      throw syntaxError(reader, `":" was expected after a key, but here is ${found(reader)}.`);
    reader.at++;
    skipSpace(reader);
    members.set(key, readValue(reader));
    const unit = skipSpace(reader);
    if (unit === CLOSE_BRACE) return leave(reader, members);
    if (unit !== COMMA) throw syntaxError(reader, `"," or "}" was expected, but here is ${found(reader)}.`);
    reader.at++;
    if (skipSpace(reader) === CLOSE_BRACE) throw syntaxError(reader, 'an object may not end with a comma.');
  }
}

function readMemberName(reader: Reader, members: JsonObject): string {
  const start = reader.at;
  if (peek(reader) !== QUOTE)
    throw syntaxError(reader, `a key in double quotes was expected, but here is ${found(reader)}.`);
  const key = readString(reader);
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
    throw syntaxError(reader, `the key "${key}" is not allowed.`, start);
  }
  if (members.has(key)) throw syntaxError(reader, `the key ${quoteText(key)} is in this object twice.`, start);
  return key;
}

function enter(reader: Reader): void {
  if (reader.depth === reader.depthMax)
    throw syntaxError(reader, `more than ${reader.depthMax} levels of nesting are not allowed.`);
  reader.depth++;
  reader.at++;
}

function leave<T>(reader: Reader, value: T): T {
  reader.depth--;
  reader.at++;
  return value;
}

function readString(reader: Reader): string {
  const { text } = reader;
  const opening = reader.at++;
  let whole = '';
  let from = reader.at;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      reader.at = at + 1;
      return from === opening + 1 ? text.slice(from, at) : whole + text.slice(from, at);
    }
    if (unit === BACKSLASH) {
      reader.at = at;
      whole += text.slice(from, at) + readEscape(reader);
      from = reader.at;
      at = from - 1;
    } else if (unit < SPACE) {
      throw syntaxError(reader, `the control character ${nameCodePoint(unit)} must be escaped inside text.`, at);
    } else if (isSurrogate(unit)) {
      if (!isPair(unit, text.charCodeAt(at + 1)))
        throw syntaxError(reader, `${nameCodePoint(unit)} is half of a surrogate pair.`, at);
      at++;
    }
  }
  throw syntaxError(reader, 'the text that starts here has no closing quote.', opening);
}

function readEscape(reader: Reader): string {
  const { text, at } = reader;
  const letter = text[at + 1] ?? '';
  if (letter === 'u') return readUnicodeEscape(reader);
  const meaning = escapes.get(letter);
  if (meaning === undefined)
    throw syntaxError(reader, `"\\${printable(letter)}" is not an escape that JSON knows.`, at);
  reader.at = at + 2;
  return meaning;
}

const escapes = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);

function readUnicodeEscape(reader: Reader): string {
  const { at } = reader;
  const unit = readHexUnit(reader, at);
  if (unit === 0) throw syntaxError(reader, 'the NUL character is not allowed.', at);
  if (!isSurrogate(unit)) {
    reader.at = at + 6;
    return String.fromCharCode(unit);
  }
  const isFollowed = reader.text.startsWith('\\u', at + 6);
  const next = isFollowed ? readHexUnit(reader, at + 6) : Number.NaN;
  if (!isPair(unit, next))
    throw syntaxError(reader, `the escape of ${nameCodePoint(unit)} is half of a surrogate pair.`, at);
  reader.at = at + 12;
  return String.fromCharCode(unit, next);
}

function readHexUnit(reader: Reader, escapeAt: number): number {
  const digits = reader.text.slice(escapeAt + 2, escapeAt + 6);
  if (/^[\da-f]{4}$/i.test(digits)) return Number.parseInt(digits, 16);
  throw syntaxError(reader, '"\\u" must be followed by four hexadecimal digits.', escapeAt);
}

/** number = [ "-" ] ( "0" | digit1-9 *digit ) [ "." 1*digit ] [ ( "e" | "E" ) [ "+" | "-" ] 1*digit ], RFC 8259 §6 */
function readNumber(reader: Reader): NumberLiteral {
  const start = reader.at;
  if (peek(reader) === MINUS) reader.at++;
  if (peek(reader) === ZERO) {
    reader.at++;
    if (isDigit(peek(reader)))
      throw syntaxError(reader, 'a number may not start with a zero that is followed by digits.', start);
  } else {
    skipDigits(reader, 'a digit was expected after "-"');
  }
  if (peek(reader) === POINT) {
    reader.at++;
    skipDigits(reader, 'a digit was expected after the decimal point');
  }
  if ((peek(reader) | 0x20) === 0x65) {
    reader.at++;
    if (peek(reader) === PLUS || peek(reader) === MINUS) reader.at++;
    skipDigits(reader, 'a digit was expected in the exponent');
  }
  return new NumberLiteral(reader.text.slice(start, reader.at));
}

function skipDigits(reader: Reader, expectation: string): void {
  if (!isDigit(peek(reader))) throw syntaxError(reader, `${expectation}, but here is ${found(reader)}.`);
  const { text } = reader;
  let at = reader.at + 1;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  reader.at = at;
}

/** Returns the unit after the white space. */
function skipSpace(reader: Reader): number {
  const { text } = reader;
  let at = reader.at;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== SPACE && unit !== LINE_FEED && unit !== CARRIAGE_RETURN && unit !== TAB) {
      reader.at = at;
      return unit;
    }
  }
  reader.at = at;
  return END;
}

function peek(reader: Reader): number {
  return reader.at < reader.text.length ? reader.text.charCodeAt(reader.at) : END;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

function isPair(high: number, low: number): boolean {
  return (high & 0xfc00) === 0xd800 && (low & 0xfc00) === 0xdc00;
}

function syntaxError(reader: Reader, sentence: string, offset = reader.at): JsonSyntaxError {
  return new JsonSyntaxError(sentence, reader.text, offset);
}

/** Describes the text at the position of a mistake: a whole word such as NaN, or one character. */
function found(reader: Reader): string {
  if (reader.at >= reader.text.length) return 'the end of the text';
  const word = /^[A-Za-z_]+/.exec(reader.text.slice(reader.at, reader.at + 40))?.[0];
  if (word !== undefined) return quoteText(word);
  return quoteText(String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0));
}
