// Scripts that decide whether a notification is sent, and may write its message. Administrators write scripts; all
// users can use them.

import type { TypeDeclaration } from '../object-type.ts';

export const scriptParameterTypes = ['text', 'number', 'integer', 'boolean', 'dateTime'] as const;

export const alertScript: TypeDeclaration = {
  description:
    'A script that decides for a subscription whether a notification is sent, and may write its message. It runs in a sandbox, without access to anything but what it is given.',
  shownBy: ['code', 'name'],
  makesEvents: false,
  isServiceOwn: true,
  isAudited: true,
  raises: 'scripts',
  access: { read: 'read', write: 'admin' },
  attributes: {
    code: {
      kind: 'text',
      maxLength: 64,
      isCode: true,
      description: 'What subscriptions name it by, in `dlpAlertScript`.',
      example: 'late-arrival',
    },
    name: { kind: 'text', maxLength: 128, isRequired: true, example: 'Arrival is late' },
    description: { kind: 'text', description: 'What it is for.' },
    body: {
      kind: 'text',
      isRequired: true,
      isLarge: true,
      description:
        'JavaScript: the body of a function with `svcObject`, `oldSvcObject`, `user`, `parameters`, `message` and `console`. It returns true or false, or sets `message.subject` and `message.body`.',
      example: 'return svcObject.daysLoading > parameters.days;',
    },
    parameters: {
      kind: 'json',
      description: 'What subscriptions give it in `scriptParameterValues`; the ones that the body uses, and no others.',
      schema: {
        type: 'array',
        maxItems: 50,
        items: {
          type: 'object',
          required: ['name', 'type'],
          properties: {
            name: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$', examples: ['days'] },
            type: { type: 'string', enum: [...scriptParameterTypes] },
            default: { description: 'What it is where a subscription says nothing.', examples: [3] },
            required: { type: 'boolean', default: false, description: 'true: every subscription has to say it.' },
            description: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
    },
    fields: {
      kind: 'json',
      description:
        'A field selection: what of the object the script sees besides what is shown of it anyway. It has to fit the type of each subscription that uses the script.',
      schema: { type: 'object', examples: [{ portCalls: { port: { name: '*' } } }] },
    },
  },
};
