// Renders the resource of a notification as XML for stylesheets, with one element per attribute, named after it. Copies
// values from the JSON text in one pass, so numbers keep their digits. This service rendered the JSON, so it is not
// validated again.

import type { Attribute, ObjectType } from '../model/object-type.ts';
import { xmlName } from './xml-name.ts';

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
