// Schemas of objects in responses. `fields` can omit every attribute but `key` and `self`, so only these two are
// required. A minimized object and a reference have what they show by default, and may have more: `fields` can reach
// through them.

import type { Attribute, ObjectType } from '../../../model/object-type.ts';
import { minimizedView, referenceView, type View } from '../../../query/view.ts';
import { deprecationOf, describeAttribute, withDeprecation } from '../describe-attribute.ts';
import { type DescriptionContext, namesOf } from '../description-context.ts';
import { createdExample, minimizedExample, referenceExample, wholeExample } from '../examples/object-examples.ts';
import { byName, objectSchema, orNull, type Schema, type Schemas, type ShownWhen, schemaRef } from '../json-schema.ts';
import { responseScalar } from './scalar-schemas.ts';

export function responseSchemas(context: DescriptionContext, type: ObjectType): Schemas {
  const { name, attributes, shownOnce } = type;
  const names = namesOf(context, type);
  const properties = byName(attributes.values(), (attribute) => ({
    ...responseAttribute(context, type, attribute),
    ...shownWhen(attribute),
  }));
  const shown = ['key', 'self', ...type.shownBy.map((attribute) => attribute.name)];
  return {
    [names.whole]: {
      ...objectSchema(withDeprecation(type.description || `A ${name}.`, type), properties, ['key', 'self']),
      ...deprecationOf(type),
      'x-flaghoist-type': name,
      examples: [wholeExample(context, type)],
    },
    [names.minimized]: {
      ...shownSchema(
        context,
        minimizedView(type),
        `A ${name} in a list or collection: its scalar attributes and references, no collections. References show ` +
          `\`key\` and \`self\` in a list, and what identifies their object in a collection. \`fields\` can select ` +
          `less or more: each attribute of ${name} has the same form there.`,
      ),
      'x-flaghoist-minimized': name,
      examples: [minimizedExample(context, type)],
    },
    [names.reference]: {
      ...shownSchema(
        context,
        referenceView(type),
        `A reference to a ${name}: ${listNames(shown)}. \`fields\` can select more: each attribute of ${name} has ` +
          'the same form there.',
      ),
      'x-flaghoist-reference': name,
      examples: [referenceExample(context, type)],
    },
    ...(shownOnce.length > 0 && { [names.created]: createdSchema(context, type, properties) }),
  };
}

/** What a view shows, and whatever else `fields` selects. */
function shownSchema(context: DescriptionContext, { type, items }: View, description: string): Schema {
  const attributes = items.map(({ attribute }) => attribute);
  const properties = byName(attributes, (attribute) => responseAttribute(context, type, attribute));
  return { ...objectSchema(description, properties, ['key', 'self']), additionalProperties: true };
}

function shownWhen({ kind, isOnDemand, isLarge }: Attribute): { 'x-flaghoist-shown'?: ShownWhen } {
  if (isOnDemand) return { 'x-flaghoist-shown': 'fields' };
  return kind === 'collection' || isLarge ? { 'x-flaghoist-shown': 'object' } : {};
}

/** For a type with attributes that only the response to the create shows. */
function createdSchema(context: DescriptionContext, type: ObjectType, properties: Schemas): Schema {
  const once = byName(type.shownOnce, (attribute) => ({
    ...responseScalar(context, type, { ...attribute, isRequired: true }),
    'x-flaghoist-shown': 'create' as const,
  }));
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
      return { ...(attribute.isRequired ? schema : orNull(schema)), description, ...deprecationOf(attribute) };
    }
    case 'collection':
      return {
        type: 'array',
        description,
        items: schemaRef(namesOf(context, attribute.of).minimized),
        ...(attribute.isReadOnly && { readOnly: true }),
        ...deprecationOf(attribute),
      };
    default:
      return responseScalar(context, type, attribute);
  }
}

function listNames(names: string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter((text) => text !== '').join(' and ');
}
