// Deliveries that are signed with the package `standardwebhooks`, which is not ours.

import { Webhook } from 'standardwebhooks';

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const otherSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

interface Wishes {
  id?: string;
  secret?: string;
  at?: Date;
  headers?: Record<string, string>;
}

/** The headers of a delivery of this body. */
export function signed(body: string, wishes: Wishes = {}): Record<string, string> {
  const { id = '52011-1100', at = new Date(), headers = {} } = wishes;
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(wishes.secret ?? secret).sign(id, at, body),
    'flaghoist-event': 'BunkerOrder.U.1042',
    'flaghoist-sequence': '52011',
    'flaghoist-subscription': '1009',
    'flaghoist-attempt': '1',
    ...headers,
  };
}

interface Change {
  objectType?: string;
  eventType?: string;
  key?: number;
  resource?: unknown;
}

/** An envelope as the service renders it. */
export function envelope({ objectType = 'BunkerOrder', eventType = 'U', key = 1042, resource }: Change = {}): string {
  const url = 'https://flaghoist.example.com/ws/rest';
  return JSON.stringify({
    id: '52011-1100',
    eventTime: '2026-11-15T12:58:39',
    objectType,
    serviceObject: key,
    eventType,
    serviceObjectSelf: `${url}/${objectType}/${key}`,
    subscription: { key: 1009, self: `${url}/WebhookSubscription/1009`, eventType: 'BunkerOrder.U' },
    resource: resource ?? { key: 1042, self: `${url}/BunkerOrder/1042`, comments: 'Kærligt Århus' },
    sequence: 52011,
    occurredAt: '2026-11-15T12:58:39.665000Z',
  });
}
