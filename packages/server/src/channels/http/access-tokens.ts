// The access tokens of subscriptions, kept in memory until shortly before they expire. All notifications that wait for
// a token share one request. A failed request is remembered for a moment, so that a dead token endpoint is not asked
// once per notification.

import { Recent } from '../../recent.ts';
import type { OAuth2 } from '../receiver-auth.ts';
import { type CredentialsPlace, fetchToken, type TokenAnswer } from './fetch-token.ts';
import type { HttpChannel } from './http-channel.ts';

const failureKeptMs = 1_000;
const marginShare = 0.1;
const marginMaxMs = 60_000;
const sourcesKept = 5_000;

export class AccessTokens {
  readonly #http: HttpChannel;
  readonly #sources = new Recent<number, TokenSource>(sourcesKept);

  constructor(http: HttpChannel) {
    this.#http = http;
  }

  /** A source knows one configuration. If the subscriber changes it, a new source takes over. */
  sourceOf(subscriptionKey: number, auth: OAuth2): TokenSource {
    const known = this.#sources.get(subscriptionKey);
    if (known?.isFor(auth)) return known;
    const source = new TokenSource(this.#http, auth);
    this.#sources.set(subscriptionKey, source);
    return source;
  }
}

export class TokenSource {
  readonly #http: HttpChannel;
  readonly #auth: OAuth2;
  #place: CredentialsPlace = 'header';
  #kept: { readonly answer: TokenAnswer; readonly untilMs: number } | undefined;
  #fetching: Promise<TokenAnswer> | undefined;

  constructor(http: HttpChannel, auth: OAuth2) {
    this.#http = http;
    this.#auth = auth;
  }

  isFor(auth: OAuth2): boolean {
    return auth === this.#auth || JSON.stringify(auth) === JSON.stringify(this.#auth);
  }

  /** Never rejects. */
  take(): Promise<TokenAnswer> {
    if (this.#kept && performance.now() < this.#kept.untilMs) return Promise.resolve(this.#kept.answer);
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  /** The receiver has rejected this token. Others may have replaced it meanwhile. */
  forget(token: string): void {
    if (this.#kept?.answer.kind === 'token' && this.#kept.answer.text === token) this.#kept = undefined;
  }

  async #fetch(): Promise<TokenAnswer> {
    const startedAtMs = performance.now();
    const answer = await this.#fetchWithin(startedAtMs + this.#http.timeoutMs);
    this.#kept = { answer, untilMs: keptUntilMs(answer, startedAtMs) };
    return answer;
  }

  /** Some servers take the credentials of some clients only in the body. Where they were accepted last is tried first. */
  async #fetchWithin(endsAtMs: number): Promise<TokenAnswer> {
    const first = await fetchToken(this.#http, this.#auth, this.#place, endsAtMs - performance.now());
    if (first.kind === 'token' || !first.isClientRejected) return first;
    const other = this.#place === 'header' ? 'body' : 'header';
    const second = await fetchToken(this.#http, this.#auth, other, endsAtMs - performance.now());
    if (second.kind !== 'token') return first;
    this.#place = other;
    return second;
  }
}

function keptUntilMs(answer: TokenAnswer, startedAtMs: number): number {
  if (answer.kind === 'none') return performance.now() + failureKeptMs;
  return startedAtMs + answer.lifetimeMs - Math.min(marginShare * answer.lifetimeMs, marginMaxMs);
}
