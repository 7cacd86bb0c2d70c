// The comparison for backlogs: a separate program that sends the same notifications from memory with `undici.request`,
// with the same concurrency as the service. It does not record responses.

import { Agent, request } from 'undici';
import { decodeSecret, signatureHeader } from '../../packages/server/src/channels/http/sign.ts';
import { type NotificationPlan, type Planned, planNotification } from './planned-notifications.ts';

export interface BarePlan extends NotificationPlan {
  inFlight: number;
  inFlightPerReceiver: number;
  userAgent: string;
}

export interface BareResult {
  statuses: Record<string, number>;
  processorMs: number;
}

process.on('message', async (plan: BarePlan) => {
  process.send!(await sendAll(plan));
});
process.on('disconnect', () => process.exit());

interface Addressed extends Planned {
  url: string;
  secret: Buffer;
}

let agent: Agent | undefined;

async function sendAll(plan: BarePlan): Promise<BareResult> {
  const targets = plan.subscribed.map(({ url, signingSecret }) => ({ url, secret: decodeSecret(signingSecret) }));
  const all = Array.from({ length: plan.count }, (_, n) => ({
    ...planNotification(plan, n),
    ...targets[n % targets.length]!,
  }));
  // Kept for the next round, as the service keeps its connections.
  agent ??= new Agent({ connections: plan.inFlightPerReceiver, pipelining: 1, keepAliveTimeout: 60_000 });
  const dispatcher = agent;
  const statuses: Record<string, number> = {};
  let next = 0;
  const before = process.cpuUsage();
  const sendInTurn = async () => {
    while (next < all.length) {
      const status = await send(all[next++]!, plan.userAgent, dispatcher);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: plan.inFlight }, sendInTurn));
  const { user, system } = process.cpuUsage(before);
  return { statuses, processorMs: (user + system) / 1_000 };
}

async function send(notification: Addressed, userAgent: string, dispatcher: Agent): Promise<number> {
  const { id, url, secret, body, contentType, objectType, eventType, objectKey, subscriptionKey } = notification;
  const timestamp = Math.floor(Date.now() / 1000);
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers: {
      'user-agent': userAgent,
      'content-type': contentType,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'flaghoist-event': `${objectType}.${eventType}.${objectKey}`,
      'flaghoist-sequence': id.slice(0, id.indexOf('-')),
      'flaghoist-subscription': String(subscriptionKey),
      'flaghoist-attempt': '1',
      'webhook-signature': signatureHeader([secret], id, timestamp, body),
    },
    body,
  });
  await answer.body.dump();
  return answer.statusCode;
}
