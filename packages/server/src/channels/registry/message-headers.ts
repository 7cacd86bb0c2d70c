// The headers that go with each message, whatever the channel: what it is about, and its signature.

import { signatureHeader } from '../http/sign.ts';
import type { Message, Receiver } from './channel.ts';

/** Names and values, alternating. `startedAt`: when the attempt started. */
export function messageHeaders(message: Message, receiver: Receiver, startedAt: Date): string[] {
  const { id, contentType, body, event, sequence, attempt, replay, traceParent } = message;
  const timestamp = Math.floor(startedAt.getTime() / 1000);
  const secrets = secretsAt(receiver, startedAt);
  const headers = ['content-type', contentType, 'webhook-id', id, 'webhook-timestamp', String(timestamp)];
  headers.push('flaghoist-event', event, 'flaghoist-sequence', String(sequence));
  headers.push('flaghoist-subscription', String(receiver.key), 'flaghoist-attempt', String(attempt));
  if (replay !== undefined) headers.push('flaghoist-replay', String(replay));
  if (traceParent !== undefined) headers.push('traceparent', traceParent);
  if (secrets.length > 0) headers.push('webhook-signature', signatureHeader(secrets, id, timestamp, body));
  return headers;
}

/** The newest secret first. The previous one also signs for a grace period. */
function secretsAt({ secret, previous }: Receiver, now: Date): Buffer[] {
  const secrets = secret ? [secret] : [];
  if (previous && previous.untilMs > now.getTime()) secrets.push(previous.secret);
  return secrets;
}
