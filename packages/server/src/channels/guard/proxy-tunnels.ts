// Opens tunnels through the egress proxy. A proxy that waits for a slow host is silent, and so is one that hangs. The
// first is a failure of the host, the second a fault on our side: the proxy is asked for a host that does not exist.

import type { Socket } from 'node:net';
import type { ProxyServer } from '../../config/proxy-url.ts';
import { ConnectError } from './connect-error.ts';
import { noProxy, openTunnel } from './open-tunnel.ts';
import type { Limit } from './when-open.ts';

/** Shares of the time for a tunnel and, if the proxy is silent, for the question. The rest is for TLS. */
const [tunnelShare, questionShare] = [0.7, 0.2];
/** RFC 6761: the name never exists, so a proxy that works refuses at once. */
const unknownHost = 'flaghoist.invalid:443';

export class ProxyTunnels {
  readonly #proxy: ProxyServer;
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  #question: Promise<boolean> | undefined;

  constructor(proxy: ProxyServer) {
    this.#proxy = proxy;
  }

  /** `authority`: host and port, as in `agent.example:443`. */
  async open(authority: string, { endsAtMs, signal }: Limit): Promise<Socket> {
    const startedAtMs = performance.now();
    const limitMs = endsAtMs - startedAtMs;
    try {
      return await this.#ask(authority, { endsAtMs: startedAtMs + tunnelShare * limitMs, signal });
    } catch (error) {
      const isSilent = error instanceof ConnectError && error.problem === 'no connection';
      if (isSilent && this.#answeredAtMs < startedAtMs && !(await this.#isAnswering(questionShare * limitMs)))
        throw noProxy('it does not answer');
      throw error;
    }
  }

  #ask(authority: string, limit: Limit): Promise<Socket> {
    return openTunnel(this.#proxy, authority, limit, () => {
      this.#answeredAtMs = performance.now();
    });
  }

  /** Concurrent callers share one question. */
  #isAnswering(withinMs: number): Promise<boolean> {
    this.#question ??= this.#askForUnknown(withinMs).finally(() => {
      this.#question = undefined;
    });
    return this.#question;
  }

  async #askForUnknown(withinMs: number): Promise<boolean> {
    const startedAtMs = performance.now();
    const limit = { endsAtMs: startedAtMs + withinMs, signal: new AbortController().signal };
    await this.#ask(unknownHost, limit).then(
      (socket) => socket.destroy(),
      () => undefined,
    );
    return this.#answeredAtMs >= startedAtMs;
  }
}
