// Sends one message over the channel of a subscription, signed and with its credentials, and measures the duration.

import type { HttpChannel, OnEnd } from '../../channels/http/http-channel.ts';
import { signatureHeader } from '../../channels/http/sign.ts';
import type { Mail, MailChannel } from '../../channels/mail/mail.ts';
import type { SendResult } from '../../channels/send-result.ts';
import type { Attempt } from '../outcomes/outcome.ts';
import type { Target } from '../targets/target.ts';

export interface SendParts {
  http: HttpChannel;
  mail: MailChannel;
}

/** A notification, or a test message. */
export interface Message {
  readonly id: string;
  /** What the message is about: `PortCall.U.1042`, or `ping`. */
  readonly event: string;
  readonly contentType: string;
  readonly body: Buffer;
  composeMail(target: Target): Mail;
}

/** `onEnd` is called once, after this function has returned. */
export function sendMessage(
  parts: SendParts,
  message: Message,
  target: Target,
  startedAt: Date,
  onEnd: (attempt: Attempt) => void,
): void {
  const began = performance.now();
  const end = (result: SendResult) =>
    onEnd({ startedAt, durationMs: performance.now() - began, result: masked(result, target) });
  if (target.channelType === 'HTTP') sendOverHttp(parts.http, message, target, startedAt, end);
  else void parts.mail.send(message.composeMail(target)).then(end);
}

/** A receiver may answer with what it was sent. The password must stay write-only even then. */
function masked(result: SendResult, { confidential }: Target): SendResult {
  if (result.kind === 'ownFault' || result.answer === null || confidential.length === 0) return result;
  const answer = confidential.reduce((text, secret) => text.replaceAll(secret, '***'), result.answer);
  return { ...result, answer };
}

function sendOverHttp(http: HttpChannel, message: Message, target: Target, now: Date, onEnd: OnEnd): void {
  const { id, event, contentType, body } = message;
  const timestamp = Math.floor(now.getTime() / 1000);
  const secrets = secretsAt(target, now);
  const headers = ['content-type', contentType, 'webhook-id', id, 'webhook-timestamp', String(timestamp)];
  headers.push('flaghoist-event', event);
  if (secrets.length > 0) headers.push('webhook-signature', signatureHeader(secrets, id, timestamp, body));
  if (target.authorization !== undefined) headers.push('authorization', target.authorization);
  http.send({ url: target.url, headers, body }, onEnd);
}

/** The newest secret first. The previous one also signs for a grace period. */
function secretsAt({ secret, previous }: Target, now: Date): Buffer[] {
  const secrets = secret ? [secret] : [];
  if (previous && previous.untilMs > now.getTime()) secrets.push(previous.secret);
  return secrets;
}
