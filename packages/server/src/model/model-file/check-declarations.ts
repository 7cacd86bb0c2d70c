// Checks type declarations against each other: names, links, circular ownership. Each mistake says where it is, what is
// wrong, and what to do. `read-model-file.ts` has checked the structure of each declaration before.

import { compareVersions, isKnownVersion, newestVersion, oldestVersion } from '../api-versions.ts';
import type { AttributeDeclaration } from '../attribute-declaration.ts';
import { snakeCase } from '../build-attribute.ts';
import { baseAttributeNames, type Declarations } from '../build-model.ts';
import { editions } from '../editions.ts';
import type { TypeDeclaration } from '../object-type.ts';
import { checkAccess } from './check-access.ts';
import { findDefaultMistake } from './declared-default.ts';
import { brokenAttribute, type Mistake } from './mistake.ts';

export function checkDeclarations(declarations: Declarations): Mistake[] {
  const check: Check = { declarations, mistakes: [] };
  const tables = new Map<string, string>();
  for (const [name, declaration] of Object.entries(declarations)) {
    const place = `types.${name}`;
    if (!/^[A-Z][A-Za-z0-9]{0,39}$/.test(name))
      add(check, place, 'a type name starts with a capital and has at most 40 letters and digits.');
    if (reservedTypes.has(name)) add(check, place, 'this name is reserved for the service.');
    const other = tables.get(snakeCase(name));
    if (other) add(check, place, `its table would have the same name as that of ${other}.`);
    tables.set(snakeCase(name), name);
    checkType(check, name, declaration);
  }
  checkCollections(check);
  check.mistakes.push(...checkAccess(declarations));
  checkOwnership(check);
  return check.mistakes;
}

interface Check {
  declarations: Declarations;
  mistakes: Mistake[];
}

const reservedTypes = new Set(['ObjectKey']);

/** Base attributes, and names that have a meaning in JavaScript. */
const takenNames = new Set([...baseAttributeNames, 'constructor', 'prototype', 'class']);

/** A type without events, such as Remarks, has no remarks, so the name is free there. */
function isTaken(name: string, { makesEvents }: TypeDeclaration): boolean {
  return takenNames.has(name) || (name === 'remarks' && makesEvents !== false);
}

/** Column → what uses it: base attributes, or PostgreSQL for its system columns. */
const takenColumns = new Map<string, string>([
  ...baseAttributeNames.map((name) => [snakeCase(name), name] as const),
  ...['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'].map((column) => [column, 'PostgreSQL itself'] as const),
]);

function add({ mistakes }: Check, place: string, message: string): void {
  mistakes.push({ place, message });
}

function checkType(check: Check, name: string, declaration: TypeDeclaration): void {
  const place = `types.${name}`;
  const columns = new Map(takenColumns);
  for (const [attribute, details] of Object.entries(declaration.attributes)) {
    const at = `${place}.attributes.${attribute}`;
    if (!/^[a-z][A-Za-z0-9]{0,39}$/.test(attribute))
      add(check, at, 'an attribute name starts with a small letter and has at most 40 letters and digits.');
    const other = columns.get(snakeCase(attribute));
    if (isTaken(attribute, declaration)) add(check, at, 'this name is reserved for the service.');
    else if (other) add(check, at, `its column would have the same name as that of ${other}.`);
    columns.set(snakeCase(attribute), attribute);
    checkAttribute(check, at, details);
    checkCommonMembers(check, at, details);
  }
  checkOnlyOne(check, place, declaration);
  checkShownBy(check, place, declaration);
}

function checkAttribute(check: Check, at: string, details: AttributeDeclaration): void {
  switch (details.kind) {
    case 'reference':
    case 'owner':
      if (!Object.hasOwn(check.declarations, details.to))
        add(check, `${at}.to`, `there is no type ${JSON.stringify(details.to)}.`);
      return;
    case 'code':
      checkValues(check, at, details.values);
      return;
    case 'textList':
      if (details.values) checkValues(check, at, details.values);
      if ((details.minItems ?? 0) > (details.values?.length ?? 100))
        add(check, `${at}.minItems`, 'a list cannot have that many: it holds each value once, and at most 100.');
      return;
    case 'text': {
      const isUnique = details.isCode || details.isUnique;
      if (isUnique && !((details.maxLength ?? 1000) <= 255))
        add(check, at, 'a unique text needs a maxLength of at most 255.');
      return;
    }
    default:
  }
}

/** Checks the default, the API version and the edition. */
function checkCommonMembers(check: Check, at: string, details: AttributeDeclaration): void {
  const { since, edition, default: value } = details;
  const mistake = findDefaultMistake(details);
  if (mistake) add(check, `${at}.default`, mistake);
  if (edition !== undefined && !editions.includes(edition))
    add(check, `${at}.edition`, `must be ${editions.join(' or ')}.`);
  if (since === undefined) return;
  if (!isKnownVersion(since))
    add(check, `${at}.since`, `must be an API version from ${oldestVersion} to ${newestVersion}.`);
  else if (details.kind === 'owner')
    add(check, `${at}.since`, 'an owner has no version: its collection is there in all of them.');
  else if (
    compareVersions(since, oldestVersion) > 0 &&
    isRequired(details) &&
    value === undefined &&
    !details.isFilledIn
  )
    add(check, at, `is required, but a caller of an older version than ${since} cannot send it: give it a default.`);
}

function isRequired(details: AttributeDeclaration): boolean {
  return details.isRequired === true || (details.kind === 'text' && details.isCode === true);
}

function checkValues(check: Check, at: string, values: string[]): void {
  if (values.length === 0) add(check, `${at}.values`, 'at least one value is needed.');
  const bad = values.find((value) => !/^[A-Za-z0-9_-]{1,32}$/.test(value));
  if (bad !== undefined)
    add(check, `${at}.values`, `${JSON.stringify(bad)} is not a code; use up to 32 letters, digits, "_" and "-".`);
  if (new Set(values).size < values.length) add(check, `${at}.values`, 'a value is listed twice.');
}

function checkOnlyOne(check: Check, place: string, { attributes }: TypeDeclaration): void {
  const count = (isCounted: (details: AttributeDeclaration) => boolean) =>
    Object.values(attributes).filter(isCounted).length;
  if (count(({ kind }) => kind === 'owner') > 1) add(check, place, 'a type has at most one owner.');
  if (count((details) => details.kind === 'text' && details.isCode === true) > 1)
    add(check, place, 'a type has at most one code (isCode).');
  const sequences = count((details) => details.kind === 'integer' && details.isSequence === true);
  if (sequences > 1) add(check, place, 'a type has at most one sequence (isSequence).');
  // A broken attribute may be the owner.
  if (sequences > 0 && count((details) => details.kind === 'owner' || details === brokenAttribute) === 0)
    add(check, place, 'a sequence (isSequence) needs an owner to be counted in.');
}

function checkShownBy(check: Check, place: string, { shownBy = [], attributes }: TypeDeclaration): void {
  for (const name of shownBy) {
    const details = Object.hasOwn(attributes, name) ? attributes[name]! : undefined;
    if (!details || notInReference.has(details.kind) || details.isHidden || details.isShownOnce)
      add(check, `${place}.shownBy`, `${JSON.stringify(name)} is not a plain attribute or reference of the type.`);
  }
}

const notInReference = new Set(['owner', 'binary', 'textList', 'json']);

/** A collection is an attribute of its owner, so its name must be free there. */
function checkCollections(check: Check): void {
  const taken = new Set(
    Object.entries(check.declarations).flatMap(([type, { attributes }]) =>
      Object.keys(attributes).map((name) => `${type}.${name}`),
    ),
  );
  for (const [type, { attributes }] of Object.entries(check.declarations)) {
    for (const [name, details] of Object.entries(attributes)) {
      if (details.kind !== 'owner') continue;
      const at = `types.${type}.attributes.${name}.collection`;
      const full = `${details.to}.${details.collection}`;
      const target = check.declarations[details.to];
      if (!/^[a-z][A-Za-z0-9]{0,39}$/.test(details.collection) || (target && isTaken(details.collection, target)))
        add(check, at, 'this is not a valid name for a collection.');
      if (taken.has(full)) add(check, at, `${full} already exists.`);
      taken.add(full);
    }
  }
}

function checkOwnership(check: Check): void {
  for (const start of Object.keys(check.declarations)) {
    const seen = new Set<string>();
    let name: string | undefined = start;
    while (name !== undefined && !seen.has(name)) {
      seen.add(name);
      name = ownerOf(check.declarations, name);
    }
    if (name === start) add(check, `types.${start}`, `ownership is circular: ${[...seen, start].join(' → ')}.`);
  }
}

function ownerOf(declarations: Declarations, name: string): string | undefined {
  const attributes = Object.hasOwn(declarations, name) ? Object.values(declarations[name]!.attributes) : [];
  return attributes.find((details) => details.kind === 'owner')?.to;
}
