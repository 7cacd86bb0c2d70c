// Schemas of objects in requests: to create, to change, as an element of an owner's collection, and as a reference. All
// are closed, because an unknown attribute is a 400.

import { mustBeSent } from '../../model/must-be-sent.ts';
import type { Attribute, ObjectType, ReferenceAttribute } from '../../model/object-type.ts';
import { describeAttribute } from './describe-attribute.ts';
import { type DescriptionContext, namesOf } from './description-context.ts';
import { changeExample, createExample, referenceExample } from './example-objects.ts';
import { orNull, type Schema, schemaRef } from './json-schema.ts';
import { keySchema } from './scalar-kinds.ts';
import { requestScalar, responseScalar } from './scalar-schemas.ts';

export function requestSchemas(context: DescriptionContext, type: ObjectType): Record<string, Schema> {
  const names = namesOf(context, type);
  // A type that only the service writes may still be part of the body of its owner.
  if (type.access.write === 'nobody' && !type.owner) return { [names.referenceInput]: referenceInput(context, type) };
  const creating = type.isCreatedByService ? {} : { [names.create]: createSchema(context, type) };
  return {
    [names.referenceInput]: referenceInput(context, type),
    ...(type.owner ? elementSchemas(context, type, type.owner) : creating),
    [names.change]: changeSchema(context, type),
  };
}

function referenceInput(context: DescriptionContext, type: ObjectType): Schema {
  const { code, name } = type;
  const shownAttributes = type.shownBy.map((attribute) => [
    attribute.name,
    responseScalar({ context, type }, attribute),
  ]);
  const self = type.attributes.get('self') as Parameters<typeof responseScalar>[1];
  const object: Schema = {
    type: 'object',
    description: 'As in a response. Only `key` is used; other members must equal those of the object.',
    required: ['key'],
    properties: {
      key: keySchema,
      self: responseScalar({ context, type }, self),
      ...Object.fromEntries(shownAttributes),
    },
    additionalProperties: false,
  };
  const forms = [{ ...keySchema, description: `Key of a ${name}.` }, object];
  if (code) forms.push({ ...requestScalar({ context, type }, code), description: `The ${code.name} of a ${name}.` });
  const { key, ...shown } = referenceExample(context, type);
  return {
    description:
      `Identifies a ${name} by its key, by an object with its ` +
      `\`key\`${code ? `, or by its \`${code.name}\`` : ''}.`,
    anyOf: forms,
    examples: [key, { key }, ...(code ? [shown[code.name]] : [])],
  };
}

function createSchema(context: DescriptionContext, type: ObjectType): Schema {
  return {
    ...withoutKey(createdObject(context, type)),
    description: `A new ${type.name}.`,
    examples: [createExample(context, type)],
  };
}

/** An element of an owner's collection does not name its owner. An object that is created at its own resource does. */
function elementSchemas(
  context: DescriptionContext,
  type: ObjectType,
  owner: ReferenceAttribute,
): Record<string, Schema> {
  const names = namesOf(context, type);
  const withOwner: Schema = {
    type: 'object',
    required: [owner.name],
    properties: { [owner.name]: requestAttribute(context, type, owner) },
  };
  return {
    [names.elementCreate]: {
      ...withoutKey(createdObject(context, type)),
      description: `A new ${type.name} inside its ${owner.target.name}: an element without \`key\` is added.`,
      examples: [createExample(context, type, true)],
    },
    [names.elementChange]: {
      description: `An existing ${type.name} of its ${owner.target.name}, with \`key\`. Only sent attributes change.`,
      allOf: [schemaRef(names.change), { type: 'object', required: ['key'], properties: { key: keySchema } }],
    },
    [names.element]: {
      description: `An element of a collection: a new ${type.name}, or an existing one with its \`key\`.`,
      anyOf: [schemaRef(names.elementCreate), schemaRef(names.elementChange)],
    },
    [names.create]: {
      description: `A new ${type.name}.`,
      allOf: [schemaRef(names.elementCreate), ...(owner.isRequired ? [withOwner] : [])],
      examples: [createExample(context, type)],
    },
  };
}

/** Typed clients send a missing key as null. */
function withoutKey(schema: Schema): Schema {
  const key = { type: 'null', description: 'Omitted or null.' };
  return { ...schema, properties: { key, ...(schema.properties as Record<string, Schema>) } };
}

function createdObject(context: DescriptionContext, type: ObjectType): Schema {
  const attributes = requestAttributes(type).filter(({ isReadOnly }) => !isReadOnly);
  const required = attributes.filter(mustBeSent).map(({ name }) => name);
  return {
    type: 'object',
    required: required.filter((name) => name !== type.owner?.name),
    properties: Object.fromEntries(
      attributes.map((attribute) => [attribute.name, requestAttribute(context, type, attribute, true)]),
    ),
    additionalProperties: false,
  };
}

/** Read-only attributes may be sent back unchanged, so that an object can be read, edited and sent as a whole. */
function changeSchema(context: DescriptionContext, type: ObjectType): Schema {
  const attributes = requestAttributes(type).filter(({ kind, isReadOnly }) => kind !== 'collection' || !isReadOnly);
  return {
    type: 'object',
    description: `Changes to a ${type.name}. Omitted attributes stay unchanged. \`null\` clears an attribute.`,
    properties: Object.fromEntries(
      attributes.map((attribute) => [attribute.name, requestAttribute(context, type, attribute)]),
    ),
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
      return responseScalar({ context, type }, attribute);
    case 'reference': {
      const schema = schemaRef(namesOf(context, attribute.target).referenceInput);
      return { ...(attribute.isRequired ? schema : orNull(schema)), description };
    }
    case 'collection': {
      const least = Math.max(attribute.minItems, attribute.isRequired && isCreated ? 1 : 0);
      return {
        type: 'array',
        description:
          `${description} An element without \`key\` is added, one with \`key\` is ` +
          `changed${isCreated ? '' : ', an omitted one is removed'}.`,
        items: schemaRef(namesOf(context, attribute.of).element),
        ...(least > 0 ? { minItems: least } : {}),
      };
    }
    default: {
      if (attribute.isReadOnly) return responseScalar({ context, type }, attribute);
      const schema = requestScalar({ context, type }, attribute, isCreated);
      return type.writeOnly.has(attribute.name) ? { ...schema, writeOnly: true } : schema;
    }
  }
}
