// The actions that help to write the expression of a subscription. They look at no objects, and store nothing.

import type { AttributeDeclaration } from '../attribute-declaration.ts';
import type { ActionDeclaration } from '../object-type.ts';

/** What the expression is about: both name the type of the subscribed objects. */
const subscribed: Record<string, AttributeDeclaration> = {
  objectType: {
    kind: 'text',
    maxLength: 40,
    description: 'The type of the subscribed objects. Either this or `eventTypes`.',
    example: 'Voyage',
  },
  eventTypes: {
    kind: 'textList',
    isOrdered: true,
    minItems: 1,
    description: 'The event types of the subscription, all of one object type. Instead of `objectType`.',
  },
};

const expression: AttributeDeclaration = {
  kind: 'text',
  isRequired: true,
  description: 'The text so far, in Java or as a short form. It may be unfinished.',
  example: 'svcObject.getVoyageStats() != null',
};

const offset = { type: 'integer', format: 'int32', minimum: 0 };

export const expressionActions: Record<string, ActionDeclaration> = {
  completions: {
    summary: 'Complete an expression while it is written',
    description:
      'Lists what can follow at a place in an expression: getters, methods, attributes, operators and values. ' +
      'Offsets count UTF-16 code units, as JavaScript and Java do.',
    on: 'type',
    verb: 'list',
    isRepeatable: true,
    takes: {
      ...subscribed,
      expression: { ...expression, example: 'svcObject.getVes' },
      offset: {
        kind: 'integer',
        minimum: 0,
        maximum: 1_048_576,
        description: 'The place in the text. Default: its end.',
      },
    },
    answers: {
      from: {
        kind: 'integer',
        isRequired: true,
        description: 'Where the word begins that a completion replaces.',
        example: 10,
      },
      to: { kind: 'integer', isRequired: true, description: 'Where it ends: at `offset`.', example: 16 },
      completions: {
        kind: 'json',
        isRequired: true,
        description: 'In the order in which to list them; empty inside a text or a comment.',
        schema: {
          type: 'array',
          items: {
            title: 'ExpressionCompletion',
            description: 'What can be written at a place in an expression.',
            type: 'object',
            required: ['label', 'kind', 'detail', 'insert', 'description'],
            properties: {
              label: { type: 'string', description: 'What to show, such as `startsWith(String)`.' },
              kind: {
                type: 'string',
                enum: ['attribute', 'method', 'operator', 'value'],
                description: 'A value is a variable, a class, a constant, or a value of a code.',
              },
              detail: { type: 'string', description: 'The type, such as `String`. Empty for an operator.' },
              insert: { type: 'string', description: 'What to write instead of the word.' },
              description: { type: 'string', description: 'What it is, in words. May be empty.' },
            },
            additionalProperties: false,
          },
          examples: [
            [{ label: 'getVessel()', kind: 'attribute', detail: 'Vessel', insert: 'getVessel()', description: '' }],
          ],
        },
      },
    },
  },
  checkExpression: {
    summary: 'Check an expression',
    description: 'Lists the mistakes that a subscription with this expression would be rejected for.',
    on: 'type',
    isRepeatable: true,
    takes: { ...subscribed, expression },
    answers: {
      errors: {
        kind: 'json',
        isRequired: true,
        description: 'The mistakes, at most 20. Empty if the expression can be saved.',
        schema: {
          type: 'array',
          items: {
            title: 'ExpressionError',
            description: 'A mistake in an expression, with its place in the text.',
            type: 'object',
            required: ['message', 'from', 'to', 'line', 'column', 'suggestion'],
            properties: {
              message: { type: 'string', description: 'What is wrong, and what to do.' },
              from: { ...offset, description: 'Where the mistake begins.' },
              to: { ...offset, description: 'Where it ends. Equal to `from` at the end of the text.' },
              line: { type: 'integer', format: 'int32', minimum: 1, description: 'The line where it begins.' },
              column: { type: 'integer', format: 'int32', minimum: 1, description: 'The column where it begins.' },
              suggestion: {
                type: ['string', 'null'],
                description: 'What to write from `from` to `to` to correct it, if that is known.',
              },
            },
            additionalProperties: false,
          },
          examples: [
            [
              {
                message: 'Voyage has no getter getVoyageStats(). Did you mean "getVoyageStatus"?',
                from: 10,
                to: 24,
                line: 1,
                column: 11,
                suggestion: 'getVoyageStatus',
              },
            ],
          ],
        },
      },
    },
  },
};
