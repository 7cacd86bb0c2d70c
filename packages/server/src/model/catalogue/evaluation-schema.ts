// The evaluation of an expression as a tree, in the answers that explain one.

import type { AttributeDeclaration } from '../attribute-declaration.ts';

/** The component that the schema becomes, to which it refers itself. */
const title = 'ExpressionEvaluation';

const offset = { type: 'integer', format: 'int32', minimum: 0 };

const part = { error: null, element: null, isDecisive: false, children: [], omitted: 0 };

export const evaluationSchema = {
  title,
  description: 'A part of an expression, with its value and the parts that it is made of. Literals are left out.',
  type: 'object',
  required: ['text', 'from', 'to', 'type', 'value', 'error', 'element', 'isDecisive', 'children', 'omitted'],
  properties: {
    text: { type: 'string', description: 'The part as written, abbreviated if it is long.' },
    from: { ...offset, description: 'Where it begins in the expression, in UTF-16 code units.' },
    to: { ...offset, description: 'Where it ends.' },
    type: { type: 'string', description: 'Its type in Java, such as `Double` or `List<PortCall>`.' },
    value: {
      type: ['string', 'null'],
      description:
        'Its value, such as `"NOM"`, `12.5`, `2026-11-15T08:30:00`, `Voyage 1042` or `null`, abbreviated if it is ' +
        'long. JSON null: it was not evaluated, or it failed.',
    },
    error: { type: ['string', 'null'], description: 'The message of the failure, at the part that failed.' },
    element: {
      type: ['string', 'null'],
      description: 'In a lambda: the element that it was evaluated for, such as `PortCall 1007`.',
    },
    isDecisive: { type: 'boolean', description: 'Whether it decided the value of the expression.' },
    children: {
      type: 'array',
      items: { $ref: `#/components/schemas/${title}` },
      description: 'The parts that it is made of. A part of a lambda comes once for each element, at most ten times.',
    },
    omitted: { type: 'integer', format: 'int32', minimum: 0, description: 'How many children were left out.' },
  },
  additionalProperties: false,
  examples: [
    {
      ...part,
      text: 'daysTotal > old.daysTotal',
      from: 0,
      to: 25,
      type: 'boolean',
      value: 'false',
      isDecisive: true,
      children: [
        { ...part, text: 'daysTotal', from: 0, to: 9, type: 'Double', value: '10.0' },
        { ...part, text: 'old.daysTotal', from: 12, to: 25, type: 'Double', value: '12.5' },
      ],
    },
  ],
};

export const evaluation: AttributeDeclaration = {
  kind: 'json',
  description: 'The values of all parts of the expression. Null if no expression was evaluated, or none is shown.',
  schema: evaluationSchema,
};
