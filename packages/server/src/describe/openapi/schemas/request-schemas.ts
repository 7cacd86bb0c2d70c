// Schemas of objects in requests: to create, to change, as an element of an owner's collection, and as a reference. All
// are closed, because an unknown attribute is a 400.

import { mustBeSent } from '../../../model/must-be-sent.ts';
import type { Attribute, ObjectType, ReferenceAttribute, SelfAttribute } from '../../../model/object-type.ts';
import { describeAttribute } from '../describe-attribute.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { changeExample, createExample, referenceExample } from '../examples/object-examples.ts';
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
      { ...objectSchema(description, { key: keySchema, ...shown }, ['key']), additionalProperties: false },
      ...(code ? [{ ...requestScalar(context, type, code), description: `The ${code.name} of a ${name}.` }] : []),
    ],
    examples: [key, { key }, ...(code ? [members[code.name]] : [])],
  };
}

/** An element of an owner's collection does not name its owner. An object that is created at its own resource does. */
function elementSchemas(context: DescriptionContext, type: ObjectType, owner: ReferenceAttribute): Schemas {
  const { name } = type;
  const names = namesOf(context, type);
  const withOwner: Schema = {
    type: 'object',
    required: [owner.name],
    properties: { [owner.name]: requestAttribute(context, type, owner) },
  };
  const added = `A new ${name} inside its ${owner.target.name}: an element without \`key\` is added.`;
  return {
    [names.elementCreate]: { ...newObject(context, type, added), examples: [createExample(context, type, true)] },
    [names.elementChange]: {
      description: `An existing ${name} of its ${owner.target.name}, with \`key\`. Only sent attributes change.`,
      allOf: [schemaRef(names.change), { type: 'object', required: ['key'], properties: { key: keySchema } }],
    },
    [names.element]: {
      description: `An element of a collection: a new ${name}, or an existing one with its \`key\`.`,
      anyOf: [schemaRef(names.elementCreate), schemaRef(names.elementChange)],
    },
    [names.create]: {
      description: `A new ${name}.`,
      allOf: [schemaRef(names.elementCreate), ...(owner.isRequired ? [withOwner] : [])],
      examples: [createExample(context, type)],
    },
  };
}

function newObject(context: DescriptionContext, type: ObjectType, description: string): Schema {
  const attributes = [...requestAttributes(type), ...type.shownOnce].filter(({ isReadOnly }) => !isReadOnly);
  const required = attributes.filter((attribute) => mustBeSent(attribute) && attribute.name !== type.owner?.name);
  const properties = {
    // Typed clients send a missing key as null.
    key: { type: 'null', description: 'Omitted or null.' },
    ...byName(attributes, (attribute) => requestAttribute(context, type, attribute, true)),
  };
  const names = required.map(({ name }) => name);
  return { ...objectSchema(description, properties, names), additionalProperties: false };
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
      return { ...(attribute.isRequired ? schema : orNull(schema)), description };
    }
    case 'collection': {
      const minItems = Math.max(attribute.minItems, attribute.isRequired && isCreated ? 1 : 0);
      return {
        type: 'array',
        description:
          `${description} An element without \`key\` is added, one with \`key\` is ` +
          `changed${isCreated ? '' : ', an omitted one is removed'}.`,
        items: schemaRef(namesOf(context, attribute.of).element),
        ...(minItems > 0 && { minItems }),
      };
    }
    default: {
      if (attribute.isReadOnly) return responseScalar(context, type, attribute);
      const schema = requestScalar(context, type, attribute, isCreated);
      return type.writeOnly.has(attribute.name) ? { ...schema, writeOnly: true } : schema;
    }
  }
}
