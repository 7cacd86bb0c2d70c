// The sections of the guide for receivers: the messages, how to verify them, and what happens when deliveries fail.

import type { ObjectType } from '../../model/object-type.ts';
import { restPath } from '../../paths.ts';
import type { DescriptionContext } from '../openapi/description-context.ts';
import { deliveryText, notificationExample, notificationHeaders, pingExample } from '../openapi/webhooks-part.ts';
import { renderJson, renderRequest, renderScript } from './code-blocks.ts';
import { type Html, html, proseOf } from './html.ts';

/** `type`: a type that creates events. */
export function receiving(context: DescriptionContext, type: ObjectType): Html {
  const { restUrl } = context;
  const notification = notificationExample(context, type, context.wireNames ?? 'service') as { resource: object };
  const key = Reflect.get(notification.resource, 'key');
  const shown = { ...notification, resource: { key, self: `${restUrl}/${type.name}/${key}` } };
  const headers = notificationHeaders.map(
    ({ name, description }) => html`<tr><td><code>${name}</code></td><td>${proseOf(description)}</td></tr>`,
  );
  return html`
<p>A <a href="#type-WebhookSubscription">WebhookSubscription</a> requests notifications of changes. The response
contains the <code>signingSecret</code>, which is <strong>shown only once</strong>:</p>
${renderRequest(context.baseUrl, {
  method: 'POST',
  path: `${restPath}/WebhookSubscription`,
  body: { eventType: `${type.name}.U`, url: 'https://agent.example/webhooks' },
})}
<p>From then on, each change is sent as a POST to that <code>url</code>. In the body, <code>resource</code> is the
object, whole or as <code>json</code> of the subscription selects:</p>
${renderJson(shown)}
<div class="scroll"><table>
<thead><tr><th>Header</th><th>Meaning</th></tr></thead>
<tbody>${headers}</tbody>
</table></div>
<p>Deliveries are signed according to Standard Webhooks, which has libraries for many languages. Without a library, in
JavaScript, with the unchanged body:</p>
${renderScript(verifying)}
<p>${proseOf(deliveryText(context.limits))} Redirects are failures. The body of your response is ignored. Store the
message, respond, and process the message afterwards. A message is delivered at least once, and the order is not
guaranteed. Ignore a <code>webhook-id</code> that you have already seen.</p>
<p>To test your receiver, <code>POST ${restPath}/WebhookSubscription/{key}/ping</code> sends this message, with the
header <code>flaghoist-event: ping</code>. It returns the response of your receiver:</p>
${renderJson(pingExample(context))}`;
}

const verifying = `import { createHmac, timingSafeEqual } from 'node:crypto';

function isOurs(signingSecret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64');
  const wanted = Buffer.from(\`v1,\${createHmac('sha256',
    key).update(\`\${id}.\${timestamp}.\`).update(body).digest('base64')}\`);
  return signatures.split(' ').map((text) => Buffer.from(text))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
}`;

export function failing(context: DescriptionContext, { actions, attributes }: ObjectType): Html {
  const { baseUrl } = context;
  const canResend = actions.has('sendFailedNotifications');
  return html`
<p>After the first failure, the subscription shows <code>failingSince</code> and <code>consecutiveFailures</code>. When
a notification has used up its attempts, its subscription is deactivated. Nothing more is sent, and all pending
notifications count as failed. The user of the subscription gets one mail. The subscription continues to collect
notifications for a time, but is never reactivated.</p>
<p>The log lists every notification. Read one by its key to see its body, and each attempt with its response:</p>
${renderRequest(baseUrl, {
  path: `${restPath}/WebhookNotification`,
  parameters: ['filter=status(EQ)FAILED', 'limit=10'],
})}
<p>If a notification is missing, this shows why:</p>
${renderRequest(baseUrl, { path: `${restPath}/WebhookSubscription/decisions`, parameters: ['limit=10'] })}
${canResend ? resending(baseUrl) : undefined}
${attributes.has('replaces') ? replacing() : undefined}`;
}

function resending(baseUrl: string): Html {
  return html`
<p>Fix the receiver, then resend the failed notifications, with the same <code>id</code> and bytes. You can resend those
of one subscription (<code>${restPath}/WebhookSubscription/{key}/sendFailedNotifications</code>) or of all your
subscriptions. With <code>dryRun</code>, the response is only the number of notifications. Without it, the response has
the key of a <a href="#type-ResendJob">ResendJob</a>, which you can watch and cancel.</p>
${renderRequest(baseUrl, {
  method: 'POST',
  path: `${restPath}/WebhookSubscription/sendFailedNotifications`,
  body: { dryRun: true },
})}`;
}

function replacing(): Html {
  return html`
<p>Or replace a deactivated subscription with a new one that has the same event type. The new subscription gets the
failed and the collected notifications of the old one, and all new ones. It has its own signing secret. For one day,
messages are also signed with the old secret.</p>
${renderJson({ eventType: 'BunkerOrder.U', url: 'https://agent.example/webhooks', replaces: 1009 })}`;
}
