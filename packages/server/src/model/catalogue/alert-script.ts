// Scripts that decide whether a notification is sent, and may write its message. Administrators write scripts; all
// users can use them.

import type { TypeDeclaration } from '../object-type.ts';

export const scriptParameterTypes = ['text', 'number', 'integer', 'boolean', 'dateTime'] as const;

export const alertScript: TypeDeclaration = {
  description:
    'A script that decides whether a subscription is notified, and can write the message. It runs in a sandbox ' +
    'and sees only its inputs.',
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
      description: 'The code that subscriptions use in `dlpAlertScript`.',
      example: 'late-arrival',
    },
    name: { kind: 'text', maxLength: 128, isRequired: true, example: 'Arrival is late' },
    description: { kind: 'text', description: 'The purpose of the script.' },
    body: {
      kind: 'text',
      isRequired: true,
      isLarge: true,
      description:
        'JavaScript: the body of a function with `svcObject`, `oldSvcObject`, `user`, `parameters`, `message` ' +
        'and `console`. It returns true or false, or sets `message.subject` and `message.body`.',
      example: 'return svcObject.daysLoading > parameters.days;',
    },
    parameters: {
      kind: 'json',
      description:
        'The parameters that subscriptions set in `scriptParameterValues`: exactly those that the body uses.',
      schema: {
        type: 'array',
        maxItems: 50,
        items: {
          title: 'ScriptParameter',
          description: 'A parameter of a script.',
          type: 'object',
          required: ['name', 'type'],
          properties: {
            name: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$', examples: ['days'] },
            type: { type: 'string', enum: [...scriptParameterTypes] },
            default: { description: 'The value if a subscription sets none.', examples: [3] },
            required: { type: 'boolean', description: 'true: every subscription must set it. Default: false.' },
            description: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
    },
    fields: {
      kind: 'json',
      description:
        'A field selection: attributes that the script sees in addition to those of the notification. Must fit ' +
        'the type of every subscription that uses the script.',
      schema: { type: 'object', examples: [{ portCalls: { port: { name: '*' } } }] },
    },
  },
};
