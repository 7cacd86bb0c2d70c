// The keys of an external issuer as they are known by now: fetched at start, every ten minutes in the background and, at most
// every so often, for a key id that is new. An outage is survived on the keys that are known, for however long it lasts.

import type { Clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import type { Observe } from '../../observability/observation.ts';
import { type IssuerKeys, loadIssuerKeys } from './issuer-keys.ts';

export interface KnownKeysParts {
  issuerUrl: string;
  clock: Clock;
  observe: Observe;
  /** How long one refresh may take, over all that it asks the issuer. */
  deadlineMs: number;
}

const refreshedEveryMs = 10 * 60_000;

/** Anybody can make up a key id: it must not cost the issuer a request each time. */
const newKidPauseMs = 30_000;
const noKeysPauseMs = 5_000;

export class KnownKeys {
  readonly #parts: KnownKeysParts;
  #known: IssuerKeys | undefined;
  #thumbprints: ReadonlySet<string> = new Set();
  /** What was said about them last; undefined while the issuer is away. */
  #told: string | undefined;
  #refreshing: Promise<void> | undefined;
  #deadline = new AbortController();
  /** When the last refresh ended, and when the last one that a key id had asked for. */
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: KnownKeysParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => void this.refresh(), refreshedEveryMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#deadline.abort(new Error('was not waited for, because the service stops'));
    await this.#refreshing;
  }

  /** Waits for one refresh at most, and only if the id is new. Throws `issuerAway` if there are no keys at all. */
  async forKid(kid: string): Promise<IssuerKeys> {
    if (!this.#known?.keys.has(kid)) await this.#refreshIfDue();
    if (!this.#known || this.#thumbprints.size === 0)
      throw new ApiError('issuerAway', 'The issuer of tokens cannot be reached just now. Try again in a moment.');
    return this.#known;
  }

  /** Whether the issuer still lists the key. */
  hasThumbprint(thumbprint: string): boolean {
    return this.#thumbprints.has(thumbprint);
  }

  /** Those who ask at the same time share one. Never fails: what could not be had is observed, and all stays as it was. */
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
    const passedMs = this.#parts.clock.monotonicMs() - (hasKeys ? this.#askedAtMs : this.#refreshedAtMs);
    if (passedMs < (hasKeys ? newKidPauseMs : noKeysPauseMs)) return;
    this.#askedAtMs = this.#parts.clock.monotonicMs();
    await this.refresh();
    this.#askedAtMs = this.#parts.clock.monotonicMs();
  }

  async #load(): Promise<void> {
    const { issuerUrl, observe } = this.#parts;
    try {
      const { issuer, keys } = await this.#loadInTime();
      this.#known = { issuer, keys };
      this.#thumbprints = new Set([...keys.values()].map(({ thumbprint }) => thumbprint));
      if (keys.size === 0) throw new Error(`${issuer} lists no key that can be used.`);
      const news = [issuer, ...this.#thumbprints].join(' ');
      if (news !== this.#told) observe({ kind: 'issuer.keysLoaded', issuer, keys: keys.size });
      this.#told = news;
    } catch (error) {
      this.#told = undefined;
      observe({ kind: 'issuer.unreachable', issuer: issuerUrl, reason: (error as Error).message });
    }
  }

  async #loadInTime(): Promise<IssuerKeys> {
    const { issuerUrl, deadlineMs } = this.#parts;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error(`did not answer within ${deadlineMs} ms`)), deadlineMs);
    this.#deadline = deadline;
    try {
      return await loadIssuerKeys(issuerUrl, deadline.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
