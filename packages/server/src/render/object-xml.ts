// Renders the resource of a notification as XML for stylesheets, with one element per attribute, named after it. Copies
// values from the JSON text in one pass, so numbers keep their digits. This service rendered the JSON, so it is not
// validated again.

import type { Attribute, ObjectType } from '../model/object-type.ts';

/**
 * `<Voyage><key>7</key><portCalls><PortCall>…</PortCall></portCalls></Voyage>`; `<Voyage></Voyage>` if there is no
 * object.
 */
export function renderObjectXml(type: ObjectType, json: string): string {
  const copy: Copy = { json, at: 0, xml: '' };
  copyElement(copy, xmlName(type.name), type, listItem);
  return copy.xml;
}

interface Copy {
  readonly json: string;
  at: number;
  xml: string;
}

/** The element name for items of a list that is not a collection. */
const listItem = 'item';

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const SMALL_N = 0x6e;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** `type`: the type of the object, or of the objects in the list, if known. */
function copyElement(copy: Copy, name: string, type: ObjectType | undefined, itemName: string): void {
  copy.xml += `<${name}>`;
  copyValue(copy, type, itemName);
  copy.xml += `</${name}>`;
}

function copyValue(copy: Copy, type: ObjectType | undefined, itemName: string): void {
  const unit = skipSpace(copy);
  if (unit === OPEN_BRACE) copyMembers(copy, type);
  else if (unit === OPEN_BRACKET) copyItems(copy, type, itemName);
  else if (unit === QUOTE) copy.xml += escapeText(readString(copy));
  else if (unit === SMALL_N) readWord(copy);
  else copy.xml += readWord(copy);
}

/** Omits null members, because an empty element means an empty text. */
function copyMembers(copy: Copy, type: ObjectType | undefined): void {
  while (isMore(copy, CLOSE_BRACE)) {
    const name = readString(copy);
    skipSpace(copy);
    copy.at++;
    if (skipSpace(copy) === SMALL_N) readWord(copy);
    else copyMember(copy, name, type?.attributes.get(name));
  }
}

function copyMember(copy: Copy, name: string, attribute: Attribute | undefined): void {
  if (attribute?.kind === 'collection') copyElement(copy, xmlName(name), attribute.of, xmlName(attribute.of.name));
  else copyElement(copy, xmlName(name), attribute?.kind === 'reference' ? attribute.target : undefined, listItem);
}

/** Renders null as an empty element, so that the other items keep their positions. */
function copyItems(copy: Copy, type: ObjectType | undefined, itemName: string): void {
  while (isMore(copy, CLOSE_BRACKET)) copyElement(copy, itemName, type, listItem);
}

/**
 * Skips an opening bracket or a comma, and returns whether an item follows. Also skips the closing bracket after the
 * last item.
 */
function isMore(copy: Copy, closing: number): boolean {
  const isAtEnd = skipSpace(copy) === closing;
  copy.at++;
  if (isAtEnd) return false;
  if (skipSpace(copy) !== closing) return true;
  copy.at++;
  return false;
}

function readString(copy: Copy): string {
  const { json } = copy;
  const start = copy.at + 1;
  let end = json.indexOf('"', start);
  if (json.charCodeAt(end - 1) === BACKSLASH) while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  copy.at = end + 1;
  const text = json.slice(start, end);
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}

function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** Reads a number, true, false or null. */
function readWord(copy: Copy): string {
  const { json } = copy;
  const start = copy.at;
  let at = start;
  for (; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === COMMA || unit === CLOSE_BRACE || unit === CLOSE_BRACKET || unit <= SPACE) break;
  }
  copy.at = at;
  return json.slice(start, at);
}

/** Returns the first character code after the white space. */
function skipSpace(copy: Copy): number {
  let unit = copy.json.charCodeAt(copy.at);
  while (unit <= SPACE) unit = copy.json.charCodeAt(++copy.at);
  return unit;
}

/** Replaces characters that XML 1.0 does not allow by U+FFFD. */
function escapeText(text: string): string {
  return isSpecial.test(text) ? text.replace(special, escapeCharacter) : text;
}

/** A quick check: everything except characters that certainly need no escaping. */
const isSpecial = /[^ -%'-;=?-~\u00A0-\uD7FF\uE000-\uFFFD]/;
const special = /[&<>\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;

function escapeCharacter(character: string): string {
  switch (character) {
    case '&':
      return '&amp;';
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    // An unescaped carriage return would be parsed as a line feed.
    case '\r':
      return '&#13;';
    case '\t':
    case '\n':
      return character;
    default:
      return character >= '\u007F' && character <= '\u009F' ? character : '\uFFFD';
  }
}

/**
 * A character that XML does not allow in a name becomes `_xHHHH_`, its code point, as in SQL/XML. Also escaped are the
 * colon (it would make a prefix) and the first letter of `xml` in any case, which XML reserves. An underscore that
 * looks like the start of an escape is escaped itself, so no two names become the same.
 *
 * `portCalls` stays as it is; `1a` is `_x0031_a`, `a b` is `a_x0020_b`, `xmlns` is `_x0078_mlns`.
 */
function xmlName(name: string): string {
  return isPlain.test(name) ? name : escapeName(name);
}

/** Matches names that need no escaping. */
const isPlain = /^(?!xml)[A-Za-z][A-Za-z0-9.-]*$/i;

function escapeName(name: string): string {
  // Unique, because no name contains NUL.
  if (name === '') return escapeOf('\0');
  const body = name.replace(/_(?=x[0-9a-f]{4})/gi, escapeOf).replace(illegal, escapeOf);
  return body.replace(illegalAtStart, escapeOf);
}

/** NameStartChar and NameChar of XML 1.0 §2.3, without the colon. */
const startCharacters =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}' +
  '\\u{2070}-\\u{218F}' +
  '\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const illegal = new RegExp(`[^${startCharacters}.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}-]`, 'gu');
const illegalAtStart = new RegExp(`^(?:[^${startCharacters}]|[xX](?=[mM][lL]))`, 'u');

function escapeOf(character: string): string {
  return `_x${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}_`;
}
