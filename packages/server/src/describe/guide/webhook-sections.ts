// The sections of the guide for receivers: the messages, how to verify them, and what happens when deliveries fail.

import type { ObjectType } from '../../model/object-type.ts';
import { restPath } from '../../paths.ts';
import type { DescriptionContext } from '../openapi/description-context.ts';
import { notificationExample, pingExample } from '../openapi/examples/message-examples.ts';
import { exampleKey } from '../openapi/examples/object-examples.ts';
import { deliveryText, notificationHeaders } from '../openapi/paths/webhooks.ts';
import { type Block, json, request } from './guide-block.ts';

/** `type`: a type that creates events. */
export function receiving(context: DescriptionContext, type: ObjectType): Block[] {
  const key = exampleKey(context, type);
  const resource = { key, self: `${context.restUrl}/${type.name}/${key}` };
  return [
    `A [WebhookSubscription](#type-WebhookSubscription) requests notifications of changes. The response contains the
\`signingSecret\`, which is **shown only once**:`,
    request(context, {
      method: 'POST',
      path: '/WebhookSubscription',
      body: { eventType: `${type.name}.U`, url: 'https://agent.example/webhooks' },
    }),
    `From then on, each change is sent as a POST to that \`url\`. In the body, \`resource\` is the object, whole or as
\`json\` of the subscription selects:`,
    json(notificationExample(context, type, resource)),
    {
      head: ['Header', 'Meaning'],
      rows: notificationHeaders.map(({ name, description }) => [`\`${name}\``, description]),
    },
    `Deliveries are signed according to Standard Webhooks (\`standardwebhooks.com\`), which has libraries for many
languages. Without a library, in JavaScript, with the unchanged body:`,
    { language: 'javascript', code: verifying },
    `${deliveryText(context.settings)} Redirects are failures. The body of your response is ignored. Store the message,
respond, and process the message afterwards. A message is delivered at least once. The order is not guaranteed, unless
the subscription has \`ordering\`. Ignore a \`webhook-id\` that you have already seen. Keep the highest \`sequence\` of
each object, and ignore a message with a lower one.`,
    `To test your receiver, \`POST ${restPath}/WebhookSubscription/{key}/ping\` sends this message, with the header
\`flaghoist-event: ping\`. It returns the response of your receiver:`,
    json(pingExample(context)),
  ];
}

const verifying = `import { createHmac, timingSafeEqual } from 'node:crypto';

function isOurs(signingSecret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64');
  const hmac = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body);
  const wanted = Buffer.from(\`v1,\${hmac.digest('base64')}\`);
  return signatures.split(' ').map((text) => Buffer.from(text))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
}`;

export function failing(context: DescriptionContext, { actions, attributes }: ObjectType): Block[] {
  return [
    `After the first failure, the subscription shows \`failingSince\` and \`consecutiveFailures\`. When a notification
has used up its attempts, its subscription is deactivated. Nothing more is sent, and all pending notifications count as
failed. The user of the subscription gets one mail. The subscription continues to collect notifications for a time, but
is never reactivated.

The log lists every notification. Read one by its key to see its body, and each attempt with its response:`,
    request(context, { path: '/WebhookNotification', parameters: ['filter=status(EQ)FAILED', 'limit=10'] }),
    'If a notification is missing, this shows why:',
    request(context, { path: '/WebhookSubscription/decisions', parameters: ['limit=10'] }),
    ...(actions.has('sendFailedNotifications') ? resending(context) : []),
    ...(attributes.has('replaces') ? replacing : []),
  ];
}

function resending(context: DescriptionContext): Block[] {
  return [
    `Fix the receiver, then resend the failed notifications, with the same \`id\` and bytes. You can resend those of one
subscription (\`${restPath}/WebhookSubscription/{key}/sendFailedNotifications\`) or of all your subscriptions. With
\`dryRun\`, the response is only the number of notifications. Without it, the response has the key of a
[ResendJob](#type-ResendJob), which you can watch and cancel. \`replay\` also sends delivered ones again.`,
    request(context, {
      method: 'POST',
      path: '/WebhookSubscription/sendFailedNotifications',
      body: { dryRun: true },
    }),
  ];
}

const replacing: Block[] = [
  `Or replace the subscription with a new one, which gets what the old one has not delivered, and all that is new. It
keeps the signing secret unless \`signingSecret\` is sent. Then messages are also signed with the old secret for one
day. This is also how to change event types.`,
  json({ eventType: 'BunkerOrder.U', url: 'https://agent.example/webhooks', replaces: 1009 }),
];
