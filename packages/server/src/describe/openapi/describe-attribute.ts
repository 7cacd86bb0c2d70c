// Describes an attribute in words: the description of the model, or one derived from its name and links, plus notes for
// callers. The API description and the docs page share this text.

import { type Deprecation, describeDeprecation } from '../../model/deprecation.ts';
import type { Attribute } from '../../model/object-type.ts';
import { textFormats } from '../../model/text-formats.ts';

export function describeAttribute(attribute: Attribute): string {
  const text = attribute.description || describeLink(attribute) || spellOutLink(attribute);
  return [text, ...notesOn(attribute), ...availabilityOf(attribute)].join(' ');
}

/** The first version and the edition that have the attribute; empty if it is in all of them. */
export function availabilityOf({ since, edition }: Attribute): string[] {
  return [
    ...(since === undefined ? [] : [`Since ${since}.`]),
    ...(edition === undefined ? [] : [`Edition ${edition} only.`]),
  ];
}

/** Omits what the name and the type already say, and the availability. Empty if nothing remains. */
export function explainAttribute(attribute: Attribute): string {
  return [attribute.description || describeLink(attribute), ...notesOn(attribute)]
    .filter((text) => text !== '')
    .join(' ');
}

/** `daysAtSea` → `Days at sea` */
export function spellOut(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function describeLink(attribute: Attribute): string {
  if (attribute.kind === 'reference' && attribute.isOwner)
    return `The ${attribute.target.name} that the object belongs to.`;
  if (attribute.kind !== 'collection') return '';
  return `The ${attribute.of.name} objects, ordered by ${attribute.of.sequence?.name ?? 'key'}.`;
}

function spellOutLink(attribute: Attribute): string {
  if (attribute.kind !== 'reference') return `${spellOut(attribute.name)}.`;
  const target = attribute.target.name;
  return attribute.name.toLowerCase() === target.toLowerCase()
    ? `Reference to a ${target}.`
    : `${spellOut(attribute.name)}: a ${target}.`;
}

function notesOn(attribute: Attribute): string[] {
  const notes: string[] = [];
  const isOwner = attribute.kind === 'reference' && attribute.isOwner;
  if (attribute.isOnDemand) notes.push('Shown only if `fields` selects it.');
  if (isOwner && !attribute.isRequired) notes.push('Optional: the object may belong to none.');
  if (attribute.kind === 'collection') {
    if (attribute.minItems > 0) notes.push(`Always at least ${attribute.minItems}.`);
    else if (attribute.isRequired) notes.push('At least one when the object is created.');
    if (attribute.isDetachable) notes.push('An object that a PUT omits is detached, not deleted.');
  }
  if ('isUnique' in attribute && attribute.isUnique && !attribute.isReadOnly) notes.push('Unique.');
  if ('format' in attribute && attribute.format) notes.push(textFormats[attribute.format].note);
  if (attribute.kind === 'textList') {
    notes.push(attribute.isOrdered ? 'The order is kept.' : 'A set: the order does not matter.');
    if (attribute.minItems > 0) notes.push(`At least ${attribute.minItems}.`);
  }
  if ('default' in attribute && attribute.default !== undefined) notes.push(`Default \`${attribute.default}\`.`);
  if (attribute.isFixed) notes.push('Set on create; cannot be changed later.');
  if (attribute.deprecated) notes.push(describeDeprecation(attribute.deprecated));
  return notes;
}

/** As a schema, a parameter or an operation has it. */
export function deprecationOf({ deprecated }: { deprecated?: Deprecation | undefined }): { deprecated?: true } {
  return deprecated ? { deprecated: true } : {};
}

export function withDeprecation(description: string, { deprecated }: { deprecated?: Deprecation | undefined }): string {
  return deprecated ? `${description} ${describeDeprecation(deprecated)}` : description;
}
