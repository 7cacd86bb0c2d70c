// An attribute as data. What does not apply to it is left out.

import { decimalLimit } from '../../model/build-attribute.ts';
import { mustBeSent } from '../../model/must-be-sent.ts';
import type { Attribute, CollectionAttribute, ReferenceAttribute, ScalarAttribute } from '../../model/object-type.ts';
import { textFormats } from '../../model/text-formats.ts';
import { operatorsOf } from '../../query/filter/operators.ts';
import { isSortable } from '../../query/sort.ts';
import { explainAttribute, spellOut } from '../openapi/describe-attribute.ts';

/** A member that an action takes or returns. */
export function memberData(attribute: Attribute, marks: Record<string, true> = {}): object {
  const { name, kind, isFixed, isLarge, isOnDemand, example, edition, deprecated } = attribute;
  return {
    name,
    label: spellOut(name),
    kind,
    description: explainAttribute(attribute),
    isRequired: mustBeSent(attribute),
    isReadOnly: isReadOnly(attribute),
    ...marks,
    ...flags({ isFixed, isLarge, isOnDemand }),
    ...detailsOf(attribute),
    ...(example !== undefined && { example }),
    ...(edition && { edition }),
    ...(deprecated && { deprecated }),
  };
}

/** An attribute of a type, with what lists can do with it. */
export function attributeData(attribute: Attribute): object {
  const operators = operatorsOf(attribute);
  if (operators.length === 0) return memberData(attribute);
  return { ...memberData(attribute), operators, ...flags({ isSortable: isSortable(attribute) }) };
}

function isReadOnly(attribute: Attribute): boolean {
  return attribute.kind === 'self' || attribute.isReadOnly || ('isComputed' in attribute && attribute.isComputed);
}

function detailsOf(attribute: Attribute): object {
  switch (attribute.kind) {
    case 'self':
      return {};
    case 'reference':
      return referenceData(attribute);
    case 'collection':
      return collectionData(attribute);
    default:
      return scalarData(attribute);
  }
}

function referenceData({ target, isOwner, isFollowed }: ReferenceAttribute): object {
  return { reference: target.name, ...flags({ isOwner, isFollowed }) };
}

function collectionData({ of, ownerColumn, isOwned, minItems }: CollectionAttribute): object {
  const owner = [...of.attributes.values()].find((each) => 'column' in each && each.column === ownerColumn);
  return {
    element: of.name,
    ...(owner && { elementOwner: owner.name }),
    isOwned,
    ...(minItems > 0 && { minItems }),
  };
}

function scalarData(attribute: ScalarAttribute): object {
  const { kind, isUnique, isOrdered, isInstant, values, maxLength, minimum, maximum, minItems, format } = attribute;
  const isLimited = kind === 'integer' || (kind === 'decimal' && maximum !== decimalLimit);
  return {
    ...flags({ isUnique, isOrdered, isInstant }),
    ...(values.length > 0 && { values }),
    ...(maxLength !== undefined && { maxLength }),
    ...(isLimited && { minimum, maximum }),
    ...(minItems > 0 && { minItems }),
    ...(format && { format: textFormats[format].requirement, pattern: textFormats[format].pattern }),
    ...(attribute.schema && { schema: attribute.schema }),
    ...(attribute.default !== undefined && { default: defaultOf(kind, attribute.default) }),
  };
}

/** A default is kept as text. */
function defaultOf(kind: ScalarAttribute['kind'], value: string): unknown {
  return kind === 'text' || kind === 'code' ? value : JSON.parse(value);
}

function flags(all: Record<string, boolean>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(all).filter(([, isSet]) => isSet));
}
