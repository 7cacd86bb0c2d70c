// A mail to send, and whom it is from.

import type { Mail } from '../../src/channels/mail/mail.ts';

export const from = { name: 'Flaghoist', address: 'flaghoist@fleet.example' };

export function someMail(changes: Partial<Mail> = {}): Mail {
  return {
    id: '4711-98213',
    to: 'ops@agent.example',
    subject: 'BunkerOrder 793628 updated',
    text: 'It was updated.\n',
    html: '<p>It was updated.</p>',
    attachment: { fileName: 'notification-4711-98213.json', contentType: 'application/json', content: '{"key":1}' },
    headers: { 'List-Id': 'Webhook subscription 5 <5.webhook-subscription.fleet.example>' },
    ...changes,
  };
}
