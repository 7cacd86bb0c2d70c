// Schemas of objects in requests: to create, to change, as an element of an owner's collection, and as a reference. All
// are closed, because an unknown attribute is a 400.

import { mustBeSent } from '../../model/must-be-sent.ts';
import type { Attribute, ObjectType, ReferenceAttribute } from '../../model/object-type.ts';
import { describeAttribute } from './describe-attribute.ts';
import { type DescriptionContext, namesOf } from './description-context.ts';
import { changeExample, createExample, referenceExample } from './example-objects.ts';
import { orNull, type Schema, schemaRef } from './json-schema.ts';
import { keySchema } from './scalar-kinds.ts';
import { answeredScalar, sentScalar } from './scalar-schemas.ts';

export function sentSchemas(context: DescriptionContext, type: ObjectType): Record<string, Schema> {
  const names = namesOf(context, type);
  // A type that only the service writes may still be part of the body of its owner.
  if (type.access.write === 'nobody' && !type.owner) return { [names.referenceInput]: referenceInput(context, type) };
  const creating = type.isMadeByService ? {} : { [names.create]: createSchema(context, type) };
  return {
    [names.referenceInput]: referenceInput(context, type),
    ...(type.owner ? elementSchemas(context, type, type.owner) : creating),
    [names.change]: changeSchema(context, type),
  };
}

function referenceInput(context: DescriptionContext, type: ObjectType): Schema {
  const { code, name } = type;
  const sentBack = type.shownBy.map((attribute) => [attribute.name, answeredScalar({ context, type }, attribute)]);
  const self = type.attributes.get('self') as Parameters<typeof answeredScalar>[1];
  const object: Schema = {
    type: 'object',
    description: 'As it was answered; only `key` counts, and the rest must be what that object has.',
    required: ['key'],
    properties: {
      key: keySchema,
      self: answeredScalar({ context, type }, self),
      ...Object.fromEntries(sentBack),
    },
    additionalProperties: false,
  };
  const forms = [{ ...keySchema, description: `Key of a ${name}.` }, object];
  if (code) forms.push({ ...sentScalar({ context, type }, code), description: `The ${code.name} of a ${name}.` });
  const { key, ...shown } = referenceExample(context, type);
  return {
    description:
      `Names a ${name}: by its key, by an object with its ` + `\`key\`${code ? `, or by its \`${code.name}\`` : ''}.`,
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
  const ownerNamed: Schema = {
    type: 'object',
    required: [owner.name],
    properties: { [owner.name]: sentAttribute(context, type, owner) },
  };
  return {
    [names.elementCreate]: {
      ...withoutKey(createdObject(context, type)),
      description: `A new ${type.name} inside its ${owner.target.name}: an element without \`key\` is added.`,
      examples: [createExample(context, type, true)],
    },
    [names.elementChange]: {
      description: `A ${type.name} that its ${owner.target.name} has, named by its \`key\`: what is sent is changed.`,
      allOf: [schemaRef(names.change), { type: 'object', required: ['key'], properties: { key: keySchema } }],
    },
    [names.element]: {
      description: `An element of a collection: a new ${type.name}, or one that is there, with its \`key\`.`,
      anyOf: [schemaRef(names.elementCreate), schemaRef(names.elementChange)],
    },
    [names.create]: {
      description: `A new ${type.name}.`,
      allOf: [schemaRef(names.elementCreate), ...(owner.isRequired ? [ownerNamed] : [])],
      examples: [createExample(context, type)],
    },
  };
}

/** Typed clients send a missing key as null. */
function withoutKey(schema: Schema): Schema {
  const key = { type: 'null', description: 'Left out, or null.' };
  return { ...schema, properties: { key, ...(schema.properties as Record<string, Schema>) } };
}

function createdObject(context: DescriptionContext, type: ObjectType): Schema {
  const attributes = sentAttributes(type).filter(({ isReadOnly }) => !isReadOnly);
  const required = attributes.filter(mustBeSent).map(({ name }) => name);
  return {
    type: 'object',
    required: required.filter((name) => name !== type.owner?.name),
    properties: Object.fromEntries(
      attributes.map((attribute) => [attribute.name, sentAttribute(context, type, attribute, true)]),
    ),
    additionalProperties: false,
  };
}

/** Read-only attributes may be sent back unchanged, so that an object can be read, edited and sent as a whole. */
function changeSchema(context: DescriptionContext, type: ObjectType): Schema {
  const attributes = sentAttributes(type).filter(({ kind, isReadOnly }) => kind !== 'collection' || !isReadOnly);
  return {
    type: 'object',
    description: `What changes of a ${type.name}; the rest stays as it is. \`null\` clears an attribute.`,
    properties: Object.fromEntries(
      attributes.map((attribute) => [attribute.name, sentAttribute(context, type, attribute)]),
    ),
    additionalProperties: false,
    examples: [changeExample(context, type)],
  };
}

function sentAttributes({ attributes, writeOnly }: ObjectType): Attribute[] {
  return [...attributes.values(), ...writeOnly.values()];
}

function sentAttribute(context: DescriptionContext, type: ObjectType, attribute: Attribute, isCreated = false): Schema {
  const description = describeAttribute(attribute);
  switch (attribute.kind) {
    case 'self':
      return answeredScalar({ context, type }, attribute);
    case 'reference': {
      const schema = schemaRef(namesOf(context, attribute.target).referenceInput);
      return { ...(attribute.isRequired ? schema : orNull(schema)), description };
    }
    case 'collection': {
      const least = Math.max(attribute.minItems, attribute.isRequired && isCreated ? 1 : 0);
      return {
        type: 'array',
        description:
          `${description} One without \`key\` is added, one with \`key\` is ` +
          `changed${isCreated ? '' : ', one left out is removed'}.`,
        items: schemaRef(namesOf(context, attribute.of).element),
        ...(least > 0 ? { minItems: least } : {}),
      };
    }
    default: {
      if (attribute.isReadOnly) return answeredScalar({ context, type }, attribute);
      const schema = sentScalar({ context, type }, attribute, isCreated);
      return type.writeOnly.has(attribute.name) ? { ...schema, writeOnly: true } : schema;
    }
  }
}
