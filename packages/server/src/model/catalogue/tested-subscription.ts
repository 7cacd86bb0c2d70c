// The subscription of a dry run, and its script: saved or not.

import type { AttributeDeclaration } from '../attribute-declaration.ts';

export const testedSubscription: AttributeDeclaration = {
  kind: 'json',
  isRequired: true,
  description: 'A key; or a subscription as in a POST; or, with `key`, the changes to a subscription as in a PUT.',
  schema: {
    title: 'TestedSubscription',
    examples: [{ eventType: 'BunkerOrder.U', url: 'https://agent.example/webhooks' }],
    anyOf: [
      { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      { $ref: '#/components/schemas/WebhookSubscriptionCreate' },
      {
        title: 'WebhookSubscriptionChangeWithKey',
        description: 'Changes to an existing subscription.',
        allOf: [
          { $ref: '#/components/schemas/WebhookSubscriptionChange' },
          {
            type: 'object',
            required: ['key'],
            properties: { key: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
          },
        ],
      },
    ],
  },
};

export const triedScript: AttributeDeclaration = {
  kind: 'text',
  maxLength: 1_000_000,
  description:
    'JavaScript to run instead of the saved script, to try it before it is saved. Needs the scope admin, like saving it.',
};
