// Schemas of objects in responses. `fields` can omit every attribute but `key` and `self`, so only these two are
// required. `fields` can also reach through references and collections, so a referenced object has the schema of the
// whole object; descriptions say what is shown by default.

import type { Attribute, ObjectType } from '../../../model/object-type.ts';
import { describeAttribute } from '../describe-attribute.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { createdExample, minimizedExample, referenceExample, wholeExample } from '../examples/object-examples.ts';
import { byName, objectSchema, orNull, type Schema, type Schemas, schemaRef } from '../json-schema.ts';
import { responseScalar } from './scalar-schemas.ts';

export function responseSchemas(context: DescriptionContext, type: ObjectType): Schemas {
  const { name, attributes, shownOnce } = type;
  const names = namesOf(context, type);
  const properties = byName(attributes.values(), (attribute) => responseAttribute(context, type, attribute));
  const shown = ['key', 'self', ...type.shownBy.map((attribute) => attribute.name)];
  return {
    [names.whole]: {
      ...objectSchema(type.description || `A ${name}.`, properties, ['key', 'self']),
      examples: [wholeExample(context, type)],
    },
    [names.minimized]: {
      description:
        `A ${name} in a list or collection: its scalar attributes and references, no collections. References show ` +
        `\`key\` and \`self\` in a list, and what identifies their object in a collection. \`fields\` can select ` +
        'less or more.',
      allOf: [schemaRef(names.whole)],
      examples: [minimizedExample(context, type)],
    },
    [names.reference]: {
      description: `A reference to a ${name}: ${listNames(shown)}. \`fields\` can select more.`,
      allOf: [schemaRef(names.whole)],
      examples: [referenceExample(context, type)],
    },
    ...(shownOnce.length > 0 && { [names.created]: createdSchema(context, type, properties) }),
  };
}

/** For a type with attributes that only the response to the create shows. */
function createdSchema(context: DescriptionContext, type: ObjectType, properties: Schemas): Schema {
  const once = byName(type.shownOnce, (attribute) => responseScalar(context, type, { ...attribute, isRequired: true }));
  const description =
    `A new ${type.name} with ${listNames(Object.keys(once))}, which only the response to the create shows. The ` +
    `response to a repeat with the same \`Idempotency-Key\` omits this.`;
  return {
    ...objectSchema(description, { ...properties, ...once }, ['key', 'self']),
    examples: [createdExample(context, type)],
  };
}

export function responseAttribute(context: DescriptionContext, type: ObjectType, attribute: Attribute): Schema {
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
        ...(attribute.isReadOnly && { readOnly: true }),
      };
    default:
      return responseScalar(context, type, attribute);
  }
}

function listNames(names: string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter((text) => text !== '').join(' and ');
}
