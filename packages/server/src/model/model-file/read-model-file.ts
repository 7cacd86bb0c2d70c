// Reads an operator's model file: JSON of the form {"types": {"Certificate": {…}, "Voyage": {"attributes": {…}}}}. A
// name from the catalogue gets more attributes; any other name is a new type. Rejects a file with the place and the
// reason of every mistake.

import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../errors.ts';
import { normaliseDecimal } from '../../json/normalise-decimal.ts';
import { type JsonObject, JsonSyntaxError, type JsonValue, NumberLiteral, parseJson } from '../../json/parse-json.ts';
import type { AttributeDeclaration } from '../attribute-declaration.ts';
import { buildModel, type Declarations } from '../build-model.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import type { Deprecation } from '../deprecation.ts';
import type { Model, TypeDeclaration } from '../object-type.ts';
import { scopes } from '../scopes.ts';
import { checkDeclarations } from './check-declarations.ts';
import { checkDeprecation } from './check-deprecation.ts';
import { mergeDeclarations } from './merge-declarations.ts';
import { brokenAttribute, type Mistake } from './mistake.ts';

/** The catalogue, extended by the file. */
export async function loadModel(file: string | undefined): Promise<Model> {
  return buildModel((await loadDeclarations(file)).declarations);
}

export interface LoadedDeclarations {
  declarations: Declarations;
  /** The text of the model file; null: there is none. */
  text: string | null;
}

export async function loadDeclarations(file: string | undefined): Promise<LoadedDeclarations> {
  if (file === undefined) return { declarations: catalogue, text: null };
  const text = await readText(file);
  return { declarations: extendCatalogue(text, file), text };
}

export function extendCatalogue(text: string, file: string): Declarations {
  const mistakes: Mistake[] = [];
  const declarations = mergeDeclarations(readTypes(parse(text, file), mistakes), mistakes);
  mistakes.push(...checkDeclarations(declarations));
  if (mistakes.length === 0) return declarations;
  const lines = mistakes.map(({ place, message }) => `- ${place}: ${message}`);
  throw new OperatorError(`The model file ${file} is invalid:\n${lines.join('\n')}`);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `The model file ${file} (FLAGHOIST_MODEL_FILE) cannot be read: ${(error as Error).message}.`,
    );
  }
}

function parse(text: string, file: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new OperatorError(`The model file ${file} is not JSON. ${error.message}`);
    throw error;
  }
}

function readTypes(file: JsonValue, mistakes: Mistake[]): Map<string, TypeDeclaration> {
  const top = readMembers(file, '', { types: 'object' }, mistakes);
  const types = new Map<string, TypeDeclaration>();
  for (const [name, value] of membersOf(top.get('types'))) types.set(name, readType(value, `types.${name}`, mistakes));
  if (!top.has('types') && mistakes.length === 0)
    mistakes.push({ place: 'types', message: 'is missing; it holds the types by name.' });
  return types;
}

function readType(value: JsonValue, place: string, mistakes: Mistake[]): TypeDeclaration {
  const members = readMembers(value, place, typeMembers, mistakes);
  const attributes = [...membersOf(members.get('attributes'))].map(([attribute, details]) => {
    const at = `${place}.attributes.${attribute}`;
    return [attribute, unlessBroken(mistakes, () => readAttribute(details, at, mistakes)) ?? brokenAttribute];
  });
  const access = unlessBroken(mistakes, () => readAccess(members.get('access'), `${place}.access`, mistakes));
  return {
    ...plainObject(wellFormed(members)),
    ...(access ? { access } : {}),
    ...readDeprecated(members, place, mistakes),
    attributes: Object.fromEntries(attributes),
  } as TypeDeclaration;
}

/** Returns undefined if reading reports a mistake. */
function unlessBroken<T>(mistakes: Mistake[], read: () => T): T | undefined {
  const before = mistakes.length;
  const value = read();
  return mistakes.length === before ? value : undefined;
}

/** Omits malformed members, so that they cause no further mistakes. */
function wellFormed(members: JsonObject): JsonObject {
  const usable = new Map(
    [...members].filter(([name, member]) => Object.hasOwn(typeMembers, name) && fits(member, typeMembers[name]!)),
  );
  const isMalformed = (name: string) => members.has(name) && !usable.has(name);
  // If omitted, it would mean true, which other members may forbid.
  if (isMalformed('makesEvents')) usable.set('makesEvents', false);
  // These members name attributes, which are not known in this case.
  if (isMalformed('attributes')) for (const name of ['shownBy', 'ownedBy']) usable.delete(name);
  return usable;
}

/** A value that is not an object has already been reported. */
function membersOf(value: JsonValue | undefined): JsonObject {
  return value instanceof Map ? value : new Map();
}

function readAccess(value: JsonValue | undefined, place: string, mistakes: Mistake[]): unknown {
  if (!(value instanceof Map)) return undefined;
  readMembers(value, place, { read: 'any', write: 'any' }, mistakes);
  const known: Record<string, readonly string[]> = { read: scopes, write: [...scopes, 'nobody'] };
  for (const [name, values] of Object.entries(known)) {
    if (!values.includes(value.get(name) as string))
      mistakes.push({ place: `${place}.${name}`, message: `must be one of ${values.join(', ')}.` });
  }
  return Object.fromEntries(value);
}

function readDeprecated(members: JsonObject, place: string, mistakes: Mistake[]): { deprecated?: Deprecation } {
  const value = members.get('deprecated');
  if (!(value instanceof Map)) return {};
  const at = `${place}.deprecated`;
  const deprecated = unlessBroken(mistakes, () => {
    const known = readMembers(value, at, { since: 'text', sunset: 'text', instead: 'text' }, mistakes);
    return plainObject(known) as unknown as Deprecation;
  });
  if (deprecated) mistakes.push(...checkDeprecation(deprecated, at));
  return deprecated ? { deprecated } : {};
}

type Expected = 'text' | 'texts' | 'boolean' | 'count' | 'object' | 'any';

const typeMembers: Record<string, Expected> = {
  description: 'text',
  shownBy: 'texts',
  makesEvents: 'boolean',
  access: 'object',
  ownedBy: 'text',
  isAudited: 'boolean',
  deprecated: 'object',
  attributes: 'object',
};

const commonMembers: Record<string, Expected> = {
  kind: 'text',
  description: 'text',
  isRequired: 'boolean',
  isOnDemand: 'boolean',
  default: 'any',
  isFixed: 'boolean',
  since: 'text',
  edition: 'text',
  deprecated: 'object',
  example: 'any',
};

/** Formats that only the service may use (a client id, an API version) are not included. */
const formats = ['imoNumber', 'email'];

/** The members that each kind of attribute allows, in addition to `commonMembers`. */
const kinds = new Map<string, Record<string, Expected>>([
  ['text', { maxLength: 'count', isUnique: 'boolean', isCode: 'boolean', format: 'text' }],
  ['decimal', {}],
  ['integer', { isSequence: 'boolean', isAssigned: 'boolean' }],
  ['dateTime', {}],
  ['boolean', {}],
  ['code', { values: 'texts' }],
  ['binary', {}],
  ['textList', { values: 'texts', minItems: 'count', example: 'texts' }],
  ['json', {}],
  ['objectKey', {}],
  ['key', {}],
  ['reference', { to: 'text', isFollowed: 'boolean' }],
  ['owner', { to: 'text', collection: 'text', minItems: 'count', isRequiredInOwner: 'boolean' }],
]);

const mandatory = new Map([
  ['code', ['values']],
  ['reference', ['to']],
  ['owner', ['to', 'collection']],
]);

function readAttribute(value: JsonValue, place: string, mistakes: Mistake[]): AttributeDeclaration | undefined {
  const kind = value instanceof Map ? value.get('kind') : undefined;
  const own = typeof kind === 'string' ? kinds.get(kind) : undefined;
  if (typeof kind !== 'string' || !own) {
    mistakes.push({ place: `${place}.kind`, message: `must be one of ${[...kinds.keys()].join(', ')}.` });
    return undefined;
  }
  const members = readMembers(value, place, { ...commonMembers, ...own }, mistakes);
  for (const name of mandatory.get(kind) ?? [])
    if (!members.has(name)) mistakes.push({ place: `${place}.${name}`, message: `is missing; a ${kind} needs it.` });
  if (isRounded(members.get('default')))
    mistakes.push({ place: `${place}.default`, message: 'has more digits than a number can keep: use at most 15.' });
  const format = members.get('format');
  if (typeof format === 'string' && !formats.includes(format))
    mistakes.push({ place: `${place}.format`, message: `must be one of ${formats.join(', ')}.` });
  const deprecated = readDeprecated(members, place, mistakes);
  return { ...plainObject(members), ...deprecated } as unknown as AttributeDeclaration;
}

function isRounded(value: JsonValue | undefined): boolean {
  if (!(value instanceof NumberLiteral)) return false;
  return normaliseDecimal(value.text)?.text !== normaliseDecimal(String(Number(value.text)))?.text;
}

function readMembers(
  value: JsonValue,
  place: string,
  expected: Record<string, Expected>,
  mistakes: Mistake[],
): JsonObject {
  if (!(value instanceof Map)) {
    mistakes.push({ place: place || 'the file', message: 'must be an object.' });
    return new Map();
  }
  for (const [name, member] of value) {
    const at = place === '' ? name : `${place}.${name}`;
    if (!Object.hasOwn(expected, name))
      mistakes.push({ place: at, message: `is unknown; known are ${Object.keys(expected).join(', ')}.` });
    else if (!fits(member, expected[name]!))
      mistakes.push({ place: at, message: `must be ${expectations[expected[name]!]}.` });
  }
  return value;
}

const expectations: Record<Expected, string> = {
  text: 'text',
  texts: 'an array of texts',
  boolean: 'true or false',
  count: 'a whole number from 1 to 1000000',
  object: 'an object',
  any: 'text, a number or a boolean',
};

function fits(value: JsonValue, expected: Expected): boolean {
  switch (expected) {
    case 'text':
      return typeof value === 'string';
    case 'texts':
      return Array.isArray(value) && value.every((element) => typeof element === 'string');
    case 'boolean':
      return typeof value === 'boolean';
    case 'count':
      return value instanceof NumberLiteral && /^[1-9]\d{0,6}$/.test(value.text) && Number(value.text) <= 1_000_000;
    case 'object':
      return value instanceof Map;
    case 'any':
      return value !== null && !Array.isArray(value) && !(value instanceof Map);
  }
}

/** Converts members that were already checked to the plain object of a declaration. */
function plainObject(members: JsonObject): Record<string, unknown> {
  return Object.fromEntries(
    [...members]
      .filter(([, value]) => !(value instanceof Map))
      .map(([name, value]) => [name, value instanceof NumberLiteral ? Number(value.text) : value]),
  );
}
