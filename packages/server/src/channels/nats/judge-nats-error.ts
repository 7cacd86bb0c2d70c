// Judges how publishing has ended. The reason of a failure is for the subscriber. It has no text of the server, which
// could repeat a secret; such text is the answer, where secrets are masked.

import { JetStreamApiError, type PubAck } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { ConnectError } from '../guard/connect-error.ts';
import { judgeFailure, renderSeconds } from '../http/judge-failure.ts';
import { failed, type SendResult } from '../send-result.ts';
import { NatsProblem, type NatsProblemKind } from './nats-problem.ts';

export interface PublishContext {
  subject: string;
  connectTimeoutMs: number;
  /** Of the body. */
  bytes: number;
  /** The `max_payload` of the server, if it is known. */
  limit: number | undefined;
}

const answerMax = 1_000;

export function judgeAcknowledgement({ stream, seq, duplicate }: PubAck): SendResult {
  if (typeof stream !== 'string' || !Number.isSafeInteger(seq))
    return failed('The answer is not an acknowledgement of a stream.');
  const answer = JSON.stringify({ stream: stream.slice(0, 255), seq, ...(duplicate && { duplicate: true }) });
  return { kind: 'delivered', statusCode: null, answer };
}

export function judgeNatsError(error: unknown, context: PublishContext): SendResult {
  // The library wraps some errors in one that says less.
  const cause = (error as Error | undefined)?.cause ?? error;
  if (isNoResponders(error)) return failed(noStream(context.subject));
  if (cause instanceof JetStreamApiError) return judgeApiError(cause);
  if (cause instanceof NatsProblem) return failed(problems[cause.kind]);
  if (cause instanceof errors.PermissionViolationError) return failed(notPermitted(cause, context.subject));
  if (cause instanceof errors.AuthorizationError || cause instanceof errors.UserAuthenticationExpiredError)
    return failed('The NATS server does not accept the credentials.');
  if (cause instanceof errors.InvalidArgumentError && cause.message.includes('max_payload')) return tooLarge(context);
  if (isLost(cause)) return failed(problems.closed);
  if (cause instanceof SyntaxError) return failed('The answer is not an acknowledgement of a stream.');
  if (isTimeout(cause) || (cause instanceof ConnectError && cause.problem === 'no connection'))
    return failed(`No connection to the NATS server within ${renderSeconds(context.connectTimeoutMs)}.`);
  return judgeFailure(cause, context.connectTimeoutMs);
}

/** Nobody listens to the subject. */
export function isNoResponders(error: unknown): boolean {
  const cause = (error as Error | undefined)?.cause;
  return cause instanceof errors.RequestError && cause.isNoResponders();
}

/** The connection was lost while, or before, the message was published. */
export function isLost(error: unknown): boolean {
  if (error instanceof errors.ClosedConnectionError) return true;
  return error instanceof errors.RequestError && error.message.startsWith('connection ');
}

export function isTimeout(error: unknown): boolean {
  return error instanceof errors.TimeoutError;
}

const problems: Readonly<Record<NatsProblemKind, string>> = {
  'no TLS': 'The NATS server does not offer TLS, which tls:// and client certificates need.',
  'not NATS': 'The server does not speak the protocol of NATS.',
  closed: 'The NATS server closed the connection before the stream acknowledged.',
  'too much': 'The NATS server sent more than an acknowledgement.',
  'too slow': 'The NATS server does not read what it is sent.',
};

function noStream(subject: string): string {
  return (
    `No stream of the NATS server has the subject ${subject}. Create a stream for it, and check that JetStream is ` +
    'enabled.'
  );
}

function notPermitted({ operation }: InstanceType<typeof errors.PermissionViolationError>, subject: string): string {
  return operation === 'publish'
    ? `The NATS server does not permit the user to publish to ${subject}.`
    : 'The NATS server does not permit the user to subscribe to _INBOX.>, where acknowledgements arrive.';
}

function tooLarge({ bytes, limit }: PublishContext): SendResult {
  return failed(
    `The body has ${bytes} bytes, which with its headers is more than max_payload of the server: ${limit}.`,
  );
}

function judgeApiError(error: JetStreamApiError): SendResult {
  const what = apiErrors[error.code] ?? 'it has rejected the message';
  const answer = String(error.message).slice(0, answerMax).replaceAll(/\p{C}/gu, ' ');
  return { ...failed(`The stream has not stored the message: ${what} (error ${Number(error.code)}).`), answer };
}

/** By the error code of JetStream. */
const apiErrors: Readonly<Record<number, string>> = {
  10008: 'JetStream is not available at the moment',
  10023: 'the server is out of resources',
  10028: 'the account is out of resources',
  10039: 'JetStream is not enabled for the account',
  10047: 'the server is out of storage',
  10054: 'the message is larger than the stream allows',
  10074: 'not enough servers of the cluster are running',
  10077: 'the stream is full, or storing has failed',
};
