// Schemas of objects in requests: to create, to change, as an element of an owner's collection, and as a reference. All
// are closed, because an unknown attribute is a 400.

import { mustBeSent } from '../../../model/must-be-sent.ts';
import type {
  Attribute,
  CollectionAttribute,
  ObjectType,
  ReferenceAttribute,
  SelfAttribute,
} from '../../../model/object-type.ts';
import { deprecationOf, describeAttribute } from '../describe-attribute.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { changeExample, createExample, exampleKey, referenceExample } from '../examples/object-examples.ts';
import { byName, keySchema, objectSchema, orNull, type Schema, type Schemas, schemaRef } from '../json-schema.ts';
import { responseAttribute } from './response-schemas.ts';
import { requestScalar, responseScalar } from './scalar-schemas.ts';

export function requestSchemas(context: DescriptionContext, type: ObjectType): Schemas {
  const { name, owner, access, isCreatedByService } = type;
  const names = namesOf(context, type);
  const reference = { [names.referenceInput]: referenceInput(context, type) };
  // A type that only the service writes may still be part of the body of its owner.
  if (access.write === 'nobody' && !owner) return reference;
  const creating = {
    [names.create]: { ...newObject(context, type, `A new ${name}.`), examples: [createExample(context, type)] },
  };
  return {
    ...reference,
    ...(owner ? elementSchemas(context, type, owner) : !isCreatedByService && creating),
    [names.change]: changeSchema(context, type),
  };
}

function referenceInput(context: DescriptionContext, type: ObjectType): Schema {
  const { code, name, shownBy, attributes } = type;
  const self = attributes.get('self') as SelfAttribute;
  const description = 'As in a response. Only `key` is used; other members must equal those of the object.';
  const shown = byName([self, ...shownBy], (attribute) => responseAttribute(context, type, attribute));
  const { key, ...members } = referenceExample(context, type);
  return {
    description:
      `Identifies a ${name} by its key, by an object with its ` +
      `\`key\`${code ? `, or by its \`${code.name}\`` : ''}.`,
    anyOf: [
      { ...keySchema, description: `Key of a ${name}.` },
      {
        title: `${namesOf(context, type).reference}Object`,
        ...objectSchema(description, { key: keySchema, ...shown }, ['key']),
        additionalProperties: false,
      },
      ...(code ? [{ ...requestScalar(context, type, code), description: `The ${code.name} of a ${name}.` }] : []),
    ],
    examples: [key, { key }, ...(code ? [members[code.name]] : [])],
  };
}

/** An element of an owner's collection does not name its owner. An object that is created at its own resource does. */
function elementSchemas(context: DescriptionContext, type: ObjectType, owner: ReferenceAttribute): Schemas {
  const { name } = type;
  const names = namesOf(context, type);
  const added = `A new ${name} inside its ${owner.target.name}: an element without \`key\` is added.`;
  return {
    [names.elementCreate]: {
      ...newObject(context, type, added, { isElement: true }),
      examples: [createExample(context, type, true)],
    },
    [names.elementChange]: {
      ...changeSchema(context, type),
      description: `An existing ${name} of its ${owner.target.name}, with \`key\`. Only sent attributes change.`,
      required: ['key'],
      examples: [{ key: exampleKey(context, type), ...changeExample(context, type) }],
    },
    [names.element]: {
      description: `An element of a collection: a new ${name}, or an existing one with its \`key\`.`,
      anyOf: [schemaRef(names.elementCreate), schemaRef(names.elementChange)],
    },
    [names.create]: {
      ...newObject(context, type, `A new ${name}.`),
      examples: [createExample(context, type)],
    },
  };
}

function newObject(
  context: DescriptionContext,
  type: ObjectType,
  description: string,
  { isElement } = { isElement: false },
): Schema {
  const attributes = [...requestAttributes(type), ...type.shownOnce].filter(({ isReadOnly }) => !isReadOnly);
  const required = attributes.filter((one) => mustBeSent(one) && !(isElement && one.name === type.owner?.name));
  const properties = byName(attributes, (attribute) => requestAttribute(context, type, attribute, true));
  const names = required.map(({ name }) => name);
  const needs = needsOf(type);
  const always = needs.flatMap((group) => (group.length === 1 ? group[0]! : []));
  return {
    ...objectSchema(`${description}${needsText(needs)}`, properties, [...names, ...always]),
    ...conditionsOn(needs),
    additionalProperties: false,
  };
}

/** The sets of attributes of each group of which a new object needs one. An older version may lack some. */
function needsOf({ needsOneOf, attributes }: ObjectType): string[][][] {
  return needsOneOf.map((group) => group.filter((set) => set.every((name) => attributes.has(name))));
}

/** `required` cannot say "one of these". These conditions can: validators apply them, and generators skip them. */
function conditionsOn([group, ...others]: string[][][]): Schema {
  if (!group) return {};
  const inner = conditionsOn(others);
  const [first, ...alternatives] = group;
  if (!first || alternatives.length === 0) return inner;
  const branches = alternatives.map(statesAll);
  const isMet = branches.length === 1 ? branches[0]! : { anyOf: branches };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  const met = Object.keys(inner).length > 0 ? { then: inner } : {};
  return { if: isMet, ...met, else: { ...statesAll(first), ...inner } };
}

/** A null says nothing. */
function statesAll(names: string[]): Schema {
  const properties = Object.fromEntries(names.map((name) => [name, { not: { type: 'null' } }]));
  return { required: names, properties, additionalProperties: true };
}

function needsText(groups: string[][][]): string {
  return groups
    .map((group) => {
      const sets = group.map((set) => set.map((name) => `\`${name}\``).join(' and '));
      return ` Needs ${sets.join(', or ')}.`;
    })
    .join('');
}

/** Read-only attributes may be sent back unchanged, so that an object can be read, edited and sent as a whole. */
function changeSchema(context: DescriptionContext, type: ObjectType): Schema {
  const attributes = requestAttributes(type).filter(({ kind, isReadOnly }) => kind !== 'collection' || !isReadOnly);
  return {
    type: 'object',
    description: `Changes to a ${type.name}. Omitted attributes stay unchanged. \`null\` clears an attribute.`,
    properties: byName(attributes, (attribute) => requestAttribute(context, type, attribute)),
    additionalProperties: false,
    examples: [changeExample(context, type)],
  };
}

function requestAttributes({ attributes, writeOnly }: ObjectType): Attribute[] {
  return [...attributes.values(), ...writeOnly.values()];
}

function requestAttribute(
  context: DescriptionContext,
  type: ObjectType,
  attribute: Attribute,
  isCreated = false,
): Schema {
  const description = describeAttribute(attribute);
  switch (attribute.kind) {
    case 'self':
      return responseScalar(context, type, attribute);
    case 'reference': {
      const schema = schemaRef(namesOf(context, attribute.target).referenceInput);
      return { ...(attribute.isRequired ? schema : orNull(schema)), description, ...deprecationOf(attribute) };
    }
    case 'collection': {
      const minItems = Math.max(attribute.minItems, attribute.isRequired && isCreated ? 1 : 0);
      return {
        type: 'array',
        description: `${description} ${elementsText(attribute, isCreated)}`,
        items: schemaRef(elementName(context, attribute, isCreated)),
        ...(minItems > 0 && { minItems }),
        ...deprecationOf(attribute),
      };
    }
    default: {
      if (attribute.isReadOnly) return responseScalar(context, type, attribute);
      const schema = requestScalar(context, type, attribute, isCreated);
      return type.writeOnly.has(attribute.name) ? { ...schema, writeOnly: true } : schema;
    }
  }
}

function elementsText({ isDetachable }: CollectionAttribute, isCreated: boolean): string {
  if (!isCreated) return 'An element without `key` is added, one with `key` is changed, an omitted one is removed.';
  return isDetachable ? 'An element without `key` is added, one with `key` is changed.' : 'Each element is added.';
}

/** Only an object that may exist without an owner can already exist when its owner is created. */
function elementName(context: DescriptionContext, { of, isDetachable }: CollectionAttribute, isCreated: boolean) {
  const { element, elementCreate } = namesOf(context, of);
  return isCreated && !isDetachable ? elementCreate : element;
}
