// Resolves a dotted path (`bunkerOrderLines.bunkerType.bunkerTypeCode`) in the model, for filters and sorts. The
// callers decide what a path may end with, and whether it may cross a collection.

import { didYouMean, printable, quoteText } from '@flaghoist/source-text';
import { ApiError, type ErrorCode } from '../../errors.ts';
import type {
  Attribute,
  CollectionAttribute,
  ObjectType,
  ReferenceAttribute,
  ScalarAttribute,
} from '../../model/object-type.ts';
import { cameLater } from './newer-attribute.ts';

export type Step = ReferenceAttribute | CollectionAttribute;

export interface AttributePath {
  steps: Step[];
  end: Attribute;
  /** The offset of the last name in the text. */
  endAt: number;
}

/** Creates the error for a mistake at an offset of the parsed text. */
export type ErrorAt = (offset: number, problem: string) => ApiError;

export function errorsIn(what: 'filter' | 'sort', text: string): ErrorAt {
  const code: ErrorCode = what === 'filter' ? 'invalidFilter' : 'invalidSort';
  return (offset, problem) =>
    new ApiError(code, `In ${what} "${excerpt(text, offset)}" at position ${offset + 1}: ${problem}`);
}

export function parseAttributePath(text: string, type: ObjectType, errorAt: ErrorAt): AttributePath {
  const names = text.split('.');
  if (names.length > namesMax) throw errorAt(0, `a path has at most ${namesMax} names, this one has ${names.length}.`);
  const last = names.pop() ?? '';
  const steps: Step[] = [];
  let current = type;
  let offset = 0;
  for (const name of names) {
    const attribute = findAttribute(name, current, offset, errorAt);
    const next = offset + name.length + 1;
    if (attribute.kind === 'json' && attribute.members.size > 0)
      return { steps, ...findMember(attribute, text.slice(next), next, errorAt) };
    if (attribute.kind !== 'reference' && attribute.kind !== 'collection') {
      const problem = `nothing can follow "${name}": it is ${nameKind(attribute)}, not a reference or collection.`;
      throw errorAt(next, problem);
    }
    if (attribute.kind === 'collection' && steps.includes(attribute)) {
      throw errorAt(offset, `a path goes through each collection once, and "${name}" is there already.`);
    }
    steps.push(attribute);
    current = attribute.kind === 'reference' ? attribute.target : attribute.of;
    offset = next;
  }
  return { steps, end: findAttribute(last, current, offset, errorAt), endAt: offset };
}

/** Names the kind of an attribute in a message. */
export function nameKind(attribute: Attribute): string {
  if (attribute.kind === 'reference') return `a reference to ${attribute.target.name}`;
  if (attribute.kind === 'collection') return `a collection of ${attribute.of.name}`;
  return kindNames[attribute.kind];
}

/** Why a name cannot be asked for: a message that follows the name. Undefined for a name that no version has. */
export function whyUnavailable(type: ObjectType, name: string): string | undefined {
  const isWriteOnly = type.writeOnly.has(name);
  return cameLater(type, name) ?? (isWriteOnly ? 'can be sent, but is never shown or compared.' : undefined);
}

const namesMax = 10;

const kindNames: Record<Exclude<Attribute['kind'], Step['kind']>, string> = {
  self: 'a URL',
  key: 'a key',
  text: 'a text',
  decimal: 'a decimal number',
  integer: 'an integer',
  dateTime: 'a date and time',
  boolean: 'a boolean',
  code: 'a code',
  binary: 'a file',
  textList: 'a list of texts',
  json: 'JSON',
};

function findAttribute(name: string, type: ObjectType, offset: number, errorAt: ErrorAt): Attribute {
  const attribute = type.attributes.get(name);
  if (attribute) return attribute;
  if (name === '') throw errorAt(offset, `the name of an attribute of ${type.name} was expected here.`);
  const reason = whyUnavailable(type, name);
  if (reason) throw errorAt(offset, `"${name}" ${reason}`);
  throw errorAt(offset, `${type.name} has no attribute ${quoteText(name)}.${didYouMean(name, type.attributes.keys())}`);
}

/** `name`: the rest of the path, because nothing can follow a member. */
function findMember(
  { name: of, members }: ScalarAttribute,
  name: string,
  endAt: number,
  errorAt: ErrorAt,
): Pick<AttributePath, 'end' | 'endAt'> {
  const end = members.get(name);
  if (end) return { end, endAt };
  const known = [...members.keys()];
  const problem = `"${of}" can be filtered and sorted by ${known.join(' and ')}, not by ${quoteText(name)}.`;
  throw errorAt(endAt, `${problem}${didYouMean(name, known)}`);
}

/** Shows a long text only around the position, so that the message stays readable. */
function excerpt(text: string, offset: number): string {
  if (text.length <= 160) return printable(text);
  const from = Math.max(0, offset - 80);
  const until = Math.min(text.length, offset + 80);
  return `${from > 0 ? '…' : ''}${printable(text.slice(from, until))}${until < text.length ? '…' : ''}`;
}
