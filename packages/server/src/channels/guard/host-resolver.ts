// Resolves a host name to all of its addresses. It queries name servers itself, with c-ares: the system resolver blocks
// one of four threads per hanging name, and all other lookups would wait. It distinguishes names without an address
// from name servers that do not answer, which is a fault on our side.

import { Resolver } from 'node:dns/promises';
import { HostsFile, systemHostsFile } from './hosts-file.ts';
import { literalAddresses } from './literal-host.ts';

export type Resolved =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  /** The name has no address, or its own name servers do not answer. */
  | { readonly kind: 'unknown' }
  /** None of our name servers answers any query. */
  | { readonly kind: 'no-resolver'; readonly reason: string };

export interface HostResolverOptions {
  /** The name servers of the machine if not set. */
  dnsServers?: readonly string[] | undefined;
  hostsFile?: string;
}

const tryMs = 1_500;
const lookupMs = 4_000;
const probeMs = 1_000;
/**
 * How long to wait for the other address family after one has answered (RFC 8305 §3). Some name servers never answer
 * one of the two.
 */
const laggardMs = 250;
/** Machines move between networks, so the name servers of the system are read again. */
const serversKeptMs = 30_000;

export class HostResolver {
  readonly #servers: readonly string[] | undefined;
  readonly #hosts: HostsFile;
  #resolver: Resolver | undefined;
  #madeAtMs = 0;
  #answeredAtMs = -1;
  #probe: Promise<boolean> | undefined;

  constructor({ dnsServers, hostsFile = systemHostsFile }: HostResolverOptions = {}) {
    this.#servers = dnsServers;
    this.#hosts = new HostsFile(hostsFile);
  }

  /** Never rejects; takes at most 5 s. */
  async resolve(hostname: string): Promise<Resolved> {
    const known =
      literalAddresses(hostname) ?? (await this.#hosts.addressesOf(hostname.toLowerCase().replace(/\.$/, '')));
    return known ? { kind: 'addresses', addresses: known } : this.#ask(hostname);
  }

  async #ask(name: string): Promise<Resolved> {
    const startedAtMs = performance.now();
    const resolver = this.#freshResolver();
    const answers = await gather([this.#attempt(resolver.resolve4(name)), this.#attempt(resolver.resolve6(name))]);
    const addresses = answers.flatMap((answer) => (answer.kind === 'addresses' ? answer.addresses : []));
    if (addresses.length > 0) return { kind: 'addresses', addresses };
    if (answers.some(({ kind }) => kind === 'unknown')) return { kind: 'unknown' };
    // The name servers of this name may hang while ours work.
    if (this.#answeredAtMs >= startedAtMs || (await this.#isAnswering())) return { kind: 'unknown' };
    this.#resolver = undefined;
    const codes = answers.map((answer) => (answer.kind === 'silence' ? answer.code : ''));
    return { kind: 'no-resolver', reason: `No name server answers (${codes[0] || 'ETIMEOUT'}).` };
  }

  async #attempt(lookup: Promise<string[]>): Promise<Answer> {
    try {
      const addresses = await lookup;
      this.#answeredAtMs = performance.now();
      return { kind: 'addresses', addresses };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!answered.has(code)) return { kind: 'silence', code };
      this.#answeredAtMs = performance.now();
      return { kind: 'unknown' };
    }
  }

  /** Queries the NS records of the root, which every name server can answer. Concurrent callers share one query. */
  #isAnswering(): Promise<boolean> {
    this.#probe ??= this.#askForRoot().finally(() => {
      this.#probe = undefined;
    });
    return this.#probe;
  }

  async #askForRoot(): Promise<boolean> {
    const root = this.#attempt(this.#makeResolver(probeMs, 1).resolveNs('.'));
    const [answer] = await gather([root], probeMs);
    return answer !== undefined && answer.kind !== 'silence';
  }

  #freshResolver(): Resolver {
    const nowMs = performance.now();
    if (!this.#resolver || (!this.#servers && nowMs - this.#madeAtMs > serversKeptMs)) {
      this.#resolver = this.#makeResolver(tryMs, 2);
      this.#madeAtMs = nowMs;
    }
    return this.#resolver;
  }

  #makeResolver(timeout: number, tries: number): Resolver {
    const resolver = new Resolver({ timeout, tries });
    if (this.#servers) resolver.setServers(this.#servers);
    return resolver;
  }
}

type Answer =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'silence'; readonly code: string };

/** Error codes of c-ares that mean: a name server has answered, or the name cannot be queried. */
const answered: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EFORMERR',
  'ENOTIMP',
  'EBADRESP',
  'EBADNAME',
]);

/** Returns the answers that arrive in time. */
function gather(lookups: readonly Promise<Answer>[], withinMs = lookupMs): Promise<readonly Answer[]> {
  return new Promise((resolve) => {
    const answers: Answer[] = [];
    let timer = setTimeout(resolve, withinMs, answers);
    const take = (answer: Answer): void => {
      answers.push(answer);
      const isLast = answers.length === lookups.length;
      if (!isLast && answer.kind !== 'addresses') return;
      clearTimeout(timer);
      if (isLast) resolve(answers);
      else timer = setTimeout(resolve, laggardMs, answers);
    };
    for (const lookup of lookups) void lookup.then(take);
  });
}
