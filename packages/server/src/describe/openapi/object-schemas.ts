// Schemas of objects in responses. `fields` can omit every attribute but `key` and `self`, so only these two are
// required. `fields` can also reach through references and collections, so a referenced object has the schema of the
// whole object; descriptions say what is shown by default.

import type { Attribute, ObjectType } from '../../model/object-type.ts';
import { describeAttribute } from './describe-attribute.ts';
import { type DescriptionContext, namesOf } from './description-context.ts';
import { createdExample, minimizedExample, referenceExample, wholeExample } from './example-objects.ts';
import { orNull, type Schema, schemaRef } from './json-schema.ts';
import { responseScalar } from './scalar-schemas.ts';

export function responseSchemas(context: DescriptionContext, type: ObjectType): Record<string, Schema> {
  const names = namesOf(context, type);
  const shown = ['key', 'self', ...type.shownBy.map(({ name }) => name)];
  return {
    [names.whole]: {
      type: 'object',
      description: type.description || `A ${type.name}.`,
      required: ['key', 'self'],
      properties: responseProperties(context, type),
      examples: [wholeExample(context, type)],
    },
    [names.minimized]: {
      description:
        `A ${type.name} in a list or collection: its scalar attributes, references as \`key\` and \`self\`, no ` +
        `collections. \`fields\` can select less or more.`,
      allOf: [schemaRef(names.whole)],
      examples: [minimizedExample(context, type)],
    },
    [names.reference]: {
      description: `A reference to a ${type.name}: ${listNames(shown)}. \`fields\` can select more.`,
      allOf: [schemaRef(names.whole)],
      examples: [referenceExample(context, type)],
    },
    ...(type.shownOnce.length > 0 ? { [names.created]: createdSchema(context, type) } : {}),
  };
}

/** For a type with attributes that only the response to the create shows. */
function createdSchema(context: DescriptionContext, type: ObjectType): Schema {
  const once = type.shownOnce.map((attribute) => [
    attribute.name,
    responseScalar({ context, type }, { ...attribute, isRequired: true }),
  ]);
  const shown = type.shownOnce.map(({ name }) => `\`${name}\``).join(' and ');
  return {
    type: 'object',
    description:
      `A new ${type.name} with ${shown}, which only the response to the create shows. The response to a repeat ` +
      `with the same \`Idempotency-Key\` omits this.`,
    required: ['key', 'self'],
    properties: { ...responseProperties(context, type), ...Object.fromEntries(once) },
    examples: [createdExample(context, type)],
  };
}

function responseProperties(context: DescriptionContext, type: ObjectType): Record<string, Schema> {
  const attributes = [...type.attributes.values()];
  return Object.fromEntries(
    attributes.map((attribute) => [attribute.name, responseAttribute(context, type, attribute)]),
  );
}

function responseAttribute(context: DescriptionContext, type: ObjectType, attribute: Attribute): Schema {
  const description = describeAttribute(attribute);
  switch (attribute.kind) {
    case 'reference': {
      const schema = schemaRef(namesOf(context, attribute.target).reference);
      return { ...(attribute.isRequired ? schema : orNull(schema)), description };
    }
    case 'collection':
      return {
        type: 'array',
        description,
        items: schemaRef(namesOf(context, attribute.of).minimized),
        ...(attribute.isReadOnly ? { readOnly: true } : {}),
      };
    default:
      return responseScalar({ context, type }, attribute);
  }
}

function listNames(names: string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}
