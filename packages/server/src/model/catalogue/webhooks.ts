// The types of webhooks: subscriptions, their notifications, resend jobs, and scripts. Every object except a script
// belongs to a user.

import { channelTypes } from '../../channel-types.ts';
import type { Declarations } from '../build-model.ts';
import { alertScript } from './alert-script.ts';
import { channelSettings } from './channel-settings.ts';
import { resendJob } from './resend-job.ts';
import { subscriptionActions } from './subscription-actions.ts';
import { webhookNotification } from './webhook-notification.ts';

const keySchema = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

export const webhooks: Declarations = {
  AlertScript: alertScript,
  WebhookSubscription: {
    description: `Requests notifications, by ${titles()}, when matching objects are created, updated or deleted.`,
    makesEvents: false,
    isServiceOwn: true,
    isAudited: true,
    raises: 'subscriptions',
    ownedBy: 'user',
    access: { read: 'webhook', write: 'webhook' },
    needsOneOf: [
      [['eventTypes'], ['eventType'], ['objectType', 'operation']],
      [['url'], ['channelInfo']],
    ],
    attributes: {
      eventTypes: {
        kind: 'textList',
        minItems: 1,
        isOrdered: true,
        isRequired: true,
        isFilledIn: true,
        isFixed: true,
        description:
          'What the subscription matches. Each is `<Resource>.<C|U|D>` or, for one object, ' +
          '`<Resource>.<C|U|D>.<key>`. `*` stands for every operation (`BunkerOrder.*`) or every type (`*.D`). ' +
          'Mandatory, here or as `eventType`.',
        example: ['BunkerOrder.U'],
      },
      eventType: {
        kind: 'text',
        maxLength: 80,
        isFilledIn: true,
        isFixed: true,
        description:
          'Instead of `eventTypes`, if there is one without a wildcard. Otherwise null. Can also be the letter ' +
          'alone, with `objectType` and, for one object, `objectKey`.',
        example: 'BunkerOrder.U',
      },
      objectType: {
        kind: 'text',
        maxLength: 40,
        isFilledIn: true,
        isFixed: true,
        description: 'The first part of `eventType`.',
        example: 'BunkerOrder',
      },
      operation: {
        kind: 'code',
        values: ['C', 'U', 'D'],
        isFilledIn: true,
        isFixed: true,
        description: 'The second part of `eventType`.',
        example: 'U',
      },
      objectKey: {
        kind: 'key',
        isFilledIn: true,
        isFixed: true,
        description: 'The third part of `eventType`: one object. Null: all objects.',
      },
      user: {
        kind: 'reference',
        to: 'ApiUser',
        isRequired: true,
        description: 'The owner of the subscription. Only an administrator can name another user than the caller.',
      },
      name: {
        kind: 'text',
        maxLength: 120,
        description: 'A name for people. Mails about the subscription show it.',
        example: 'Bunker orders to the agent',
      },
      ...channelSettings,
      unsubscribed: {
        kind: 'boolean',
        default: false,
        description: 'Set to true to unsubscribe. This cannot be undone.',
      },
      webhookUsername: {
        kind: 'text',
        maxLength: 255,
        description: 'Sent with `webhookPassword` as HTTP Basic, or as user and password of NATS.',
        example: 'flaghoist',
      },
      webhookPassword: { kind: 'text', isWriteOnly: true, description: 'Encrypted at rest and never shown.' },
      json: {
        kind: 'text',
        since: '3.9',
        description:
          'A field selection: the attributes that the notification contains. Sent in Base64, or as a JSON object; ' +
          'shown in Base64.',
        otherForms: [{ type: 'object', description: 'The field selection as it is.' }],
        example: 'eyJidW5rZXJlZERhdGUiOiIqIn0=',
      },
      expression: {
        kind: 'text',
        since: '3.9',
        description:
          'A Java expression over `svcObject`, `oldSvcObject`, `changedObject` and `oldChangedObject`, or its short ' +
          'form. A notification is sent only if it is true.',
        example: 'svcObject.getBunkerOrderStatus().equals("ORD")',
      },
      dlpAlertScript: {
        kind: 'text',
        maxLength: 64,
        since: '3.9',
        description:
          'The AlertScript that decides whether a notification is sent. Sent as its code, its key or an object with ' +
          'its `key`; shown as its code.',
        otherForms: [
          { ...keySchema, description: 'Its key.' },
          {
            title: 'AlertScriptWithKey',
            type: 'object',
            description: 'An AlertScript, identified by its key.',
            required: ['key'],
            properties: { key: keySchema },
            additionalProperties: false,
          },
        ],
      },
      alertScriptKey: { kind: 'key', isHidden: true },
      scriptParameterValues: {
        kind: 'json',
        since: '3.9',
        description: 'Values for the parameters of the script, by name.',
        schema: { type: 'object' },
      },
      useMsg: {
        kind: 'boolean',
        default: false,
        since: '3.9',
        description: "Sends the script's message instead of the usual body.",
      },
      onlyMainObject: {
        kind: 'boolean',
        default: false,
        isFixed: true,
        since: '3.16',
        description: 'true: only changes to the subscribed object itself, not to its hierarchy.',
      },
      rawObject: {
        kind: 'boolean',
        default: false,
        isFixed: true,
        since: '5.23',
        description: 'true: only the object is sent, without the envelope.',
      },
      includeChanges: {
        kind: 'boolean',
        default: false,
        isFixed: true,
        description: 'true: the envelope also contains `changes`: each changed attribute, with its old and new value.',
      },
      xsl: {
        kind: 'text',
        isFixed: true,
        since: '5.24',
        edition: 'ENTERPRISE',
        description: "An XSLT 1.0 stylesheet in Base64 that creates the body from the object's XML.",
      },
      doNotUnsubscribe: {
        kind: 'boolean',
        default: false,
        since: '6.10',
        description: 'true: never deactivated because of failed deliveries.',
      },
      notSendMyChanges: {
        kind: 'boolean',
        default: false,
        isFixed: true,
        since: '6.44',
        description: "true: changes by the subscription's own user are not notified.",
      },
      ordering: {
        kind: 'code',
        values: ['NONE', 'OBJECT'],
        default: 'NONE',
        isFixed: true,
        description:
          'OBJECT: notifications about one subscribed object are sent one after the other, in the order of the ' +
          'changes. The next one is sent when the one before was delivered or has failed for good.',
      },
      state: {
        kind: 'code',
        values: ['ACTIVE', 'DEACTIVATED', 'UNSUBSCRIBED'],
        default: 'ACTIVE',
        isReadOnly: true,
        description: 'DEACTIVATED: deliveries have failed, and nothing more is sent. UNSUBSCRIBED: ended for good.',
      },
      stateDate: {
        kind: 'dateTime',
        isReadOnly: true,
        description: 'Since when the subscription has been in this state.',
      },
      stateReason: { kind: 'text', isReadOnly: true, description: 'Why the subscription is in this state.' },
      failingSince: {
        kind: 'dateTime',
        isComputed: true,
        description: 'Since when all attempts have failed. Null if the last attempt succeeded.',
      },
      consecutiveFailures: {
        kind: 'integer',
        isComputed: true,
        description: 'Number of consecutive failed attempts.',
        example: 0,
      },
      shapingFailures: {
        kind: 'integer',
        isComputed: true,
        description: 'Number of consecutive failures of the script or stylesheet.',
        example: 0,
      },
      shapingError: {
        kind: 'text',
        isComputed: true,
        description: 'The last error of the script or stylesheet, after three consecutive failures. Otherwise null.',
      },
      replaces: {
        kind: 'key',
        isFixed: true,
        description:
          'Key of an active or deactivated subscription of the same user. Its pending and failed notifications go to ' +
          'this subscription, and it is unsubscribed. Its signing secret is kept unless `signingSecret` is sent.',
      },
      isStreamed: { kind: 'boolean', isHidden: true },
      headersSealed: { kind: 'text', isHidden: true },
      channelSecretSealed: { kind: 'text', isHidden: true },
      signingSecretSealed: { kind: 'text', isHidden: true },
      previousSecretSealed: { kind: 'text', isHidden: true },
      previousSecretUntil: { kind: 'dateTime', isHidden: true },
      createdSnapshot: { kind: 'text', isHidden: true, isSnapshot: true },
      signingSecret: {
        kind: 'text',
        format: 'signingSecret',
        isShownOnce: true,
        description:
          'Signs deliveries (Standard Webhooks). Created by the service unless it is sent on POST. Shown once, in ' +
          'the response that creates the subscription; not shown if `replaces` keeps the old one.',
      },
    },
    actions: subscriptionActions,
  },
  WebhookNotification: webhookNotification,
  ResendJob: resendJob,
};

function titles(): string {
  return Object.values(channelTypes)
    .map(({ title }) => title)
    .join(' or ');
}
