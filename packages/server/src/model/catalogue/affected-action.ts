// The action `affected`: which subscriptions a change would notify, before it is saved.

import type { ActionDeclaration } from '../object-type.ts';

const key = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

export const affected: ActionDeclaration = {
  summary: 'Find out which subscriptions would be notified of a change',
  description:
    'Which active subscriptions would be notified of a change, before it is saved. The change is checked and made as ' +
    'by a POST, PUT or DELETE, and undone. Nothing is stored or sent. Scripts are not run.',
  on: 'type',
  verb: 'list',
  isRepeatable: true,
  takes: {
    objectType: {
      kind: 'text',
      maxLength: 40,
      isRequired: true,
      description: 'The type of the object that would change.',
      example: 'Voyage',
    },
    objectKey: { kind: 'key', description: 'Its key. Not for a new object.', example: 1007 },
    operation: {
      kind: 'code',
      values: ['C', 'U', 'D'],
      description: 'The operation. Default: U with `objectKey`, C without.',
    },
    changes: {
      kind: 'json',
      description: 'The attributes, as in a PUT of the object, or as in a POST for a new one. Not with D.',
      schema: {
        title: 'UnsavedChanges',
        description: 'The attributes as in a PUT or POST.',
        type: 'object',
        additionalProperties: true,
        examples: [{ voyageStatus: 'OPR' }],
      },
    },
  },
  answers: {
    subscriptions: {
      kind: 'json',
      isRequired: true,
      description:
        "Those of the caller's user, or of all users for an administrator, at most 100. Certain ones come first.",
      schema: {
        type: 'array',
        items: {
          title: 'AffectedSubscription',
          description: 'A subscription that would be notified.',
          type: 'object',
          required: ['key', 'name', 'userKey', 'certain'],
          properties: {
            key: { ...key, description: 'Key of the subscription.' },
            name: { type: ['string', 'null'], description: 'Its name.' },
            userKey: { ...key, description: 'Key of its user.' },
            certain: {
              type: 'boolean',
              description: 'False: a script decides, or the condition could not be evaluated in time.',
            },
          },
          additionalProperties: false,
        },
        examples: [[{ key: 1009, name: 'Voyages in operation', userKey: 1002, certain: true }]],
      },
    },
    count: {
      kind: 'integer',
      isRequired: true,
      description: 'How many subscriptions of all users would be notified, certain or not.',
      example: 3,
    },
    uncertain: { kind: 'integer', isRequired: true, description: 'How many of them are not certain.', example: 1 },
  },
};
