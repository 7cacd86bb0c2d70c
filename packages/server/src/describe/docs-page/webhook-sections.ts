// The sections of the guide for receivers: the messages, how to verify them, and what happens when deliveries fail.

import type { ObjectType } from '../../model/object-type.ts';
import { restPath } from '../../paths.ts';
import type { DescriptionContext } from '../openapi/description-context.ts';
import { notificationExample, notificationHeaders, pingExample, triesText } from '../openapi/webhooks-part.ts';
import { renderJson, renderRequest, renderScript } from './code-blocks.ts';
import { type Html, html, proseOf } from './html.ts';

/** `heard`: a type that makes events. */
export function receiving(context: DescriptionContext, heard: ObjectType): Html {
  const { restUrl } = context;
  const notification = notificationExample(context, heard, context.wireNames ?? 'service') as { resource: object };
  const key = Reflect.get(notification.resource, 'key');
  const shown = { ...notification, resource: { key, self: `${restUrl}/${heard.name}/${key}` } };
  const headers = notificationHeaders.map(
    ({ name, description }) => html`<tr><td><code>${name}</code></td><td>${proseOf(description)}</td></tr>`,
  );
  return html`
<p>A <a href="#type-WebhookSubscription">WebhookSubscription</a> requests notifications of changes. The answer has its
<code>signingSecret</code>, <strong>shown once</strong>:</p>
${renderRequest(context.baseUrl, {
  method: 'POST',
  path: `${restPath}/WebhookSubscription`,
  body: { eventType: `${heard.name}.U`, url: 'https://agent.example/webhooks' },
})}
<p>From then on each change is a POST to that <code>url</code>. In its body, <code>resource</code> is the object, whole or as
<code>json</code> of the subscription selects:</p>
${renderJson(shown)}
<div class="scroll"><table>
<thead><tr><th>Header</th><th>Meaning</th></tr></thead>
<tbody>${headers}</tbody>
</table></div>
<p>Deliveries are signed as Standard Webhooks says: there are libraries for many languages. Without one, in JavaScript, with the body
as it came:</p>
${renderScript(verifying)}
<p>${proseOf(triesText(context.limits))} Redirects are failures; what the body of your answer says is of no importance. Store the
message, answer, and work on it afterwards. It arrives at least once, and in no certain order: leave out a <code>webhook-id</code>
that you have seen.</p>
<p>To try it out, <code>POST ${restPath}/WebhookSubscription/{key}/ping</code> sends this, with the header
<code>flaghoist-event: ping</code>, and answers what your receiver said:</p>
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
<p>From the first failure on, the subscription shows <code>failingSince</code> and <code>consecutiveFailures</code>. When a notification has
used up its attempts, its subscription is deactivated: nothing more is sent, everything pending counts as failed, and one mail goes to the
address of its user. It goes on collecting for a time, and is never active again.</p>
<p>The log has every notification; one of them, by its key, also has its body and each attempt with what was answered:</p>
${renderRequest(baseUrl, {
  path: `${restPath}/WebhookNotification`,
  parameters: ['filter=status(EQ)FAILED', 'limit=10'],
})}
<p>If there is none at all, this tells why:</p>
${renderRequest(baseUrl, { path: `${restPath}/WebhookSubscription/decisions`, parameters: ['limit=10'] })}
${canResend ? sendingAgain(baseUrl) : undefined}
${attributes.has('replaces') ? replacing() : undefined}`;
}

function sendingAgain(baseUrl: string): Html {
  return html`
<p>Fix the receiver, then send again what has failed, with the same <code>id</code> and bytes: of one subscription
(<code>${restPath}/WebhookSubscription/{key}/sendFailedNotifications</code>) or of all that are yours. With <code>dryRun</code> it only tells how
many there are; else it answers a <a href="#type-ResendJob">ResendJob</a> to watch and cancel.</p>
${renderRequest(baseUrl, {
  method: 'POST',
  path: `${restPath}/WebhookSubscription/sendFailedNotifications`,
  body: { dryRun: true },
})}`;
}

function replacing(): Html {
  return html`
<p>Or create a new subscription in the place of a deactivated one, with the same event type. It is sent what the old one failed to deliver and has
collected, and everything new. It has a signing secret of its own; that of the old one signs along for a day.</p>
${renderJson({ eventType: 'BunkerOrder.U', url: 'https://agent.example/webhooks', replaces: 1009 })}`;
}
