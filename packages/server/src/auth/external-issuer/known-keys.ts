// Caches the keys of an external issuer. They are fetched at start, every ten minutes, and for an unknown key id, which
// is rate-limited. During an outage of the issuer, the cached keys stay in use for as long as it lasts.

import type { OperatorGet } from '../../channels/http/operator-get.ts';
import type { Clock } from '../../clock.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import { ApiError } from '../../errors.ts';
import type { Observe } from '../../observe/observation.ts';
import { type IssuerKeys, loadIssuerKeys, type SignInEndpoints } from './issuer-keys.ts';

export interface KnownKeysParts {
  issuerUrl: string;
  get: OperatorGet;
  clock: Clock;
  observe: Observe;
  /** The maximum duration of one refresh, over all requests to the issuer. A token may wait for it. */
  deadlineMs?: number;
}

const pollEveryMs = 10 * 60_000;

/** Anyone can invent a key id, so an unknown id must not cause a request to the issuer each time. */
const newKidPauseMs = 30_000;
const noKeysPauseMs = 5_000;

export class KnownKeys {
  readonly #parts: KnownKeysParts;
  #known: IssuerKeys | undefined;
  #thumbprints: ReadonlySet<string> = new Set();
  /** The keys that were last reported; undefined while the issuer is unreachable. */
  #reported: string | undefined;
  #refreshing: Promise<void> | undefined;
  #deadline = new AbortController();
  /** When the last refresh ended, and when the last one for an unknown key id did. */
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #kidRefreshAtMs = Number.NEGATIVE_INFINITY;
  readonly #loop = new WorkLoop({
    round: async () => {
      await this.refresh();
      return false;
    },
    pollEveryMs,
    onError: (error) => this.#parts.observe({ kind: 'housekeeping.failed', error }),
    restsFirst: true,
  });

  constructor(parts: KnownKeysParts) {
    this.#parts = parts;
  }

  /** Resolves even if the issuer cannot be reached. */
  async start(): Promise<void> {
    await this.refresh();
    this.#loop.start();
  }

  async stop(): Promise<void> {
    const stopped = this.#loop.stop();
    this.#deadline.abort(new Error('was not waited for, because the service stops'));
    await stopped;
    await this.#refreshing;
  }

  /** Waits for at most one refresh, and only for an unknown id. Throws `issuerAway` if there are no keys at all. */
  async forKid(kid: string): Promise<IssuerKeys> {
    if (!this.#known?.keys.has(kid)) await this.#refreshIfDue();
    if (!this.#known || this.#thumbprints.size === 0) throw issuerAway();
    return this.#known;
  }

  /** Where people sign in. Undefined: not at this issuer. */
  async signInEndpoints(): Promise<SignInEndpoints | undefined> {
    if (!this.#known) await this.#refreshIfDue();
    if (!this.#known) throw issuerAway();
    return this.#known.signIn;
  }

  /** Whether the issuer still publishes the key. */
  hasThumbprint(thumbprint: string): boolean {
    return this.#thumbprints.has(thumbprint);
  }

  /** Concurrent calls share one refresh. Never rejects: a failure is observed, and the cached keys stay. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
      this.#refreshedAtMs = this.#parts.clock.monotonicMs();
    });
    return this.#refreshing;
  }

  async #refreshIfDue(): Promise<void> {
    if (this.#refreshing) return this.#refreshing;
    const hasKeys = this.#thumbprints.size > 0;
    const passedMs = this.#parts.clock.monotonicMs() - (hasKeys ? this.#kidRefreshAtMs : this.#refreshedAtMs);
    if (passedMs < (hasKeys ? newKidPauseMs : noKeysPauseMs)) return;
    this.#kidRefreshAtMs = this.#parts.clock.monotonicMs();
    await this.refresh();
    this.#kidRefreshAtMs = this.#parts.clock.monotonicMs();
  }

  async #load(): Promise<void> {
    const { issuerUrl, observe } = this.#parts;
    try {
      const { issuer, keys, signIn } = await this.#loadInTime();
      this.#known = { issuer, keys, signIn };
      this.#thumbprints = new Set([...keys.values()].map(({ thumbprint }) => thumbprint));
      if (keys.size === 0) throw new Error(`${issuer} lists no key that can be used.`);
      const news = [issuer, ...this.#thumbprints].join(' ');
      if (news !== this.#reported) observe({ kind: 'issuer.keysLoaded', issuer, keys: keys.size });
      this.#reported = news;
    } catch (error) {
      this.#reported = undefined;
      observe({ kind: 'issuer.unreachable', issuer: issuerUrl, reason: (error as Error).message });
    }
  }

  async #loadInTime(): Promise<IssuerKeys> {
    const { issuerUrl, get, deadlineMs = 5_000 } = this.#parts;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error(`did not respond within ${deadlineMs} ms`)), deadlineMs);
    this.#deadline = deadline;
    try {
      return await loadIssuerKeys(get, issuerUrl, deadline.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

export function issuerAway(): ApiError {
  return new ApiError('issuerAway', 'The token issuer cannot be reached. Try again in a moment.');
}
