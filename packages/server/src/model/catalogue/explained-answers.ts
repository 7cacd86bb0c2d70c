// The members that the answers of several actions of subscriptions share.

import { channelCodes } from '../../channel-types.ts';
import type { AttributeDeclaration } from '../attribute-declaration.ts';

/** The rules and evaluations that can suppress a notification. */
export const suppressedBy = [
  'ANOTHER_OPERATION',
  'ANOTHER_KEY',
  'ONLY_MAIN_OBJECT',
  'SAME_TRANSACTION',
  'OWN_CHANGE',
  'OBJECT_DELETED',
  'EXPRESSION_FALSE',
  'EXPRESSION_ERROR',
  'SCRIPT_FALSE',
  'SCRIPT_ERROR',
  'NOT_ACTIVE',
];

export const logAnswer: AttributeDeclaration = {
  kind: 'json',
  description: 'The lines that the script wrote with console.log. Null if there is no script.',
  schema: { type: 'array', items: { type: 'string' } },
};

export const isNotified: AttributeDeclaration = { kind: 'boolean', isRequired: true, example: true };

export const subscribedObjectKey: AttributeDeclaration = {
  kind: 'key',
  isRequired: true,
  description: 'Key of the object that the subscription would be notified about.',
  example: 1007,
};

export const channelType: AttributeDeclaration = { kind: 'code', values: channelCodes, isRequired: true };
