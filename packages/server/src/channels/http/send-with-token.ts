// Sends a message with an access token. If the receiver answers 401, the token is replaced and the message is sent once
// more. One deadline covers everything, as if there were no token.

import { maskSecrets } from '../mask-secrets.ts';
import type { SendResult } from '../send-result.ts';
import type { TokenSource } from './access-tokens.ts';
import { noToken, type TokenAnswer } from './fetch-token.ts';
import type { HttpChannel, HttpMessage } from './http-channel.ts';
import { renderSeconds } from './judge-failure.ts';

export async function sendWithToken(http: HttpChannel, message: HttpMessage, source: TokenSource): Promise<SendResult> {
  const endsAtMs = performance.now() + http.timeoutMs;
  const first = await attempt(http, message, source, endsAtMs);
  if (first.token === undefined || first.result.kind !== 'failed' || first.result.statusCode !== 401)
    return first.result;
  source.forget(first.token);
  const { token, result } = await attempt(http, message, source, endsAtMs);
  if (result.kind !== 'failed') return result;
  if (token === undefined) return { ...first.result, reason: `${first.result.reason} ${result.reason}` };
  return result.statusCode === 401 ? { ...result, reason: rejectedTwice } : result;
}

const rejectedTwice = 'The receiver answered 401, and again 401 with a new token.';

interface Attempted {
  /** Undefined: there was none, and the receiver was not called. */
  token: string | undefined;
  result: SendResult;
}

async function attempt(
  http: HttpChannel,
  message: HttpMessage,
  source: TokenSource,
  endsAtMs: number,
): Promise<Attempted> {
  const answer = await within(endsAtMs, source.take(), tooLate(http.timeoutMs));
  if (answer.kind === 'none') return { token: undefined, result: answer.result };
  const headers = [...message.headers, 'authorization', `Bearer ${answer.text}`];
  const timeoutMs = Math.max(1, endsAtMs - performance.now());
  const result = await new Promise<SendResult>((resolve) => http.send({ ...message, headers, timeoutMs }, resolve));
  return { token: answer.text, result: masked(result, answer.text) };
}

function masked(result: SendResult, token: string): SendResult {
  if (result.kind === 'ownFault' || result.answer === null) return result;
  return { ...result, answer: maskSecrets(result.answer, [token]) };
}

function tooLate(timeoutMs: number): TokenAnswer {
  return noToken(`the token endpoint did not respond within ${renderSeconds(timeoutMs)}.`);
}

function within<T>(endsAtMs: number, waiting: Promise<T>, late: T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, endsAtMs - performance.now()), late);
    void waiting.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
