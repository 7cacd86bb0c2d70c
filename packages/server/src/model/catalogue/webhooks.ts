// The types of webhooks: subscriptions, their notifications, resend jobs, and scripts. Every object except a script
// belongs to a user.

import { channelCodes, channelTypes, defaultChannelType } from '../../channel-types.ts';
import type { Declarations } from '../build-model.ts';
import { alertScript } from './alert-script.ts';
import { resendJob } from './resend-job.ts';
import { subscriptionActions } from './subscription-actions.ts';
import { webhookNotification } from './webhook-notification.ts';

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
    attributes: {
      eventType: {
        kind: 'text',
        maxLength: 80,
        isRequired: true,
        isFilledIn: true,
        isFixed: true,
        description:
          '`<Resource>.<C|U|D>` or `<Resource>.<C|U|D>.<key>`: what the subscription matches. Mandatory. Instead, the letter alone with `objectType` and, for one object, `objectKey`.',
        example: 'BunkerOrder.U',
      },
      objectType: {
        kind: 'text',
        maxLength: 40,
        isRequired: true,
        isFilledIn: true,
        isFixed: true,
        description: 'The first part of `eventType`.',
        example: 'BunkerOrder',
      },
      operation: {
        kind: 'code',
        values: ['C', 'U', 'D'],
        isRequired: true,
        isFilledIn: true,
        isFixed: true,
        description: 'The second part of `eventType`.',
        example: 'U',
      },
      objectKey: {
        kind: 'key',
        isFilledIn: true,
        isFixed: true,
        description: 'The third part of `eventType`: the one object that is meant; null for all.',
      },
      user: {
        kind: 'reference',
        to: 'ApiUser',
        isRequired: true,
        description: "Whose subscription it is: the caller's, unless `admin` names another.",
      },
      url: {
        kind: 'text',
        maxLength: 2048,
        isRequired: true,
        isFilledIn: true,
        description: `Where notifications go: ${addresses()}. Mandatory, here or in \`channelInfo\`.`,
        example: 'https://agent.example/webhooks',
      },
      channelInfo: {
        kind: 'json',
        isRequired: true,
        isFilledIn: true,
        since: '3.9',
        description: 'How notifications travel, and where to; `URL` is the same as `url`.',
        schema: {
          type: 'object',
          required: ['channelType', 'URL'],
          properties: {
            channelType: {
              type: 'string',
              enum: channelCodes,
              default: defaultChannelType,
              description: whatIsSent(),
            },
            URL: {
              type: 'string',
              description: `Where to: ${addresses()}.`,
              examples: ['https://agent.example/webhooks'],
            },
          },
          additionalProperties: false,
        },
      },
      unsubscribed: {
        kind: 'boolean',
        default: false,
        description: 'Set it to true to unsubscribe, once and for all.',
      },
      webhookUsername: {
        kind: 'text',
        maxLength: 255,
        description: 'Sent with `webhookPassword` as HTTP Basic credentials.',
        example: 'flaghoist',
      },
      webhookPassword: {
        kind: 'text',
        isWriteOnly: true,
        description: 'Encrypted at rest and never shown.',
      },
      json: {
        kind: 'text',
        since: '3.9',
        description: 'A field selection in Base64: what of the object the notification carries.',
        example: 'eyJidW5rZXJlZERhdGUiOiIqIn0=',
      },
      expression: {
        kind: 'text',
        since: '3.9',
        description:
          'A Java expression over `svcObject` and `oldSvcObject`, or its short form; only where it is true a notification is sent.',
        example: 'svcObject.getBunkerOrderStatus().equals("ORD")',
      },
      dlpAlertScript: {
        kind: 'text',
        maxLength: 64,
        since: '3.9',
        description: 'Code or key of the AlertScript that decides whether a notification is sent.',
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
        description: 'true: only changes to the subscribed object itself, not those to its hierarchy.',
      },
      rawObject: {
        kind: 'boolean',
        default: false,
        isFixed: true,
        since: '5.23',
        description: 'true: the object alone is sent, without the envelope.',
      },
      xsl: {
        kind: 'text',
        isFixed: true,
        since: '5.24',
        edition: 'ENTERPRISE',
        description: "An XSLT 1.0 stylesheet in Base64 that makes the body from the object's XML.",
      },
      doNotUnsubscribe: {
        kind: 'boolean',
        default: false,
        since: '6.10',
        description: 'true: never deactivated for failed deliveries.',
      },
      notSendMyChanges: {
        kind: 'boolean',
        default: false,
        isFixed: true,
        since: '6.44',
        description: "true: changes made by the subscription's own user are not notified.",
      },
      state: {
        kind: 'code',
        values: ['ACTIVE', 'DEACTIVATED', 'UNSUBSCRIBED'],
        default: 'ACTIVE',
        isReadOnly: true,
        description: 'DEACTIVATED: deliveries have failed; nothing is sent any more. UNSUBSCRIBED: it has ended.',
      },
      stateDate: { kind: 'dateTime', isReadOnly: true, description: 'Since when it has this state.' },
      stateReason: { kind: 'text', isReadOnly: true, description: 'Why it has this state.' },
      failingSince: {
        kind: 'dateTime',
        isMade: true,
        description: 'Since when attempts have failed, one after the other; null where the last one has not.',
      },
      consecutiveFailures: {
        kind: 'integer',
        isMade: true,
        description: 'How many attempts have failed since then.',
        example: 0,
      },
      shapingFailures: {
        kind: 'integer',
        isMade: true,
        description: 'How often the script or the stylesheet has failed, one time after the other.',
        example: 0,
      },
      shapingError: {
        kind: 'text',
        isMade: true,
        description: 'What it said the last time, once it has failed three times in a row; else null.',
      },
      replaces: {
        kind: 'key',
        isFixed: true,
        description:
          'Key of a deactivated subscription of the same user and event type, whose failed notifications this one takes over; it is unsubscribed.',
      },
      signingSecretSealed: { kind: 'text', isHidden: true },
      previousSecretSealed: { kind: 'text', isHidden: true },
      previousSecretUntil: { kind: 'dateTime', isHidden: true },
      createdSnapshot: { kind: 'text', isHidden: true, isSnapshot: true },
      signingSecret: {
        kind: 'text',
        isShownOnce: true,
        isReadOnly: true,
        description: 'Signs deliveries (Standard Webhooks). Shown once, in the answer that creates the subscription.',
        example: 'whsec_YW4gZXhhbXBsZSBvZiBhIHNpZ25pbmcgc2VjcmV0Li4=',
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

function addresses(): string {
  return channelCodes.map((code) => `for ${code} ${channelTypes[code].address}`).join(', ');
}

function whatIsSent(): string {
  return channelCodes.map((code) => `${code}: ${channelTypes[code].description}.`).join(' ');
}
