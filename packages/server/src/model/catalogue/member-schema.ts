// The members of a JSON attribute: declared like attributes, described as JSON Schema.

import type { AttributeDeclaration } from '../attribute-declaration.ts';
import { buildAttribute } from '../build-attribute.ts';
import type { ScalarAttribute } from '../object-type.ts';

export type MemberDeclarations = Readonly<Record<string, AttributeDeclaration>>;

/** To check what is sent. */
export function membersOf(declarations: MemberDeclarations): ScalarAttribute[] {
  return Object.entries(declarations).map(
    ([name, declaration]) => buildAttribute(name, declaration, new Map()) as ScalarAttribute,
  );
}

export function objectSchema(declarations: MemberDeclarations): Record<string, unknown> {
  const entries = Object.entries(declarations);
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(entries.map(([name, declaration]) => [name, memberSchema(declaration)])),
    additionalProperties: false,
  };
}

function memberSchema(declaration: AttributeDeclaration): Record<string, unknown> {
  const { description, default: value, isWriteOnly, example } = declaration;
  return {
    ...typeSchema(declaration),
    ...(description && { description }),
    ...(value !== undefined && { default: value }),
    ...(isWriteOnly && { writeOnly: true }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function typeSchema(declaration: AttributeDeclaration): Record<string, unknown> {
  switch (declaration.kind) {
    case 'integer':
    case 'decimal': {
      const { kind, minimum, maximum } = declaration;
      return { type: kind === 'integer' ? 'integer' : 'number', minimum, maximum };
    }
    case 'code':
      return { type: 'string', enum: declaration.values };
    case 'text':
      return { type: 'string', maxLength: declaration.maxLength };
    default:
      throw new Error(`A member of a JSON attribute cannot be of the kind ${declaration.kind}.`);
  }
}
