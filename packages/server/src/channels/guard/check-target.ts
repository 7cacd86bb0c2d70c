// Checks whether notifications may be sent to the host and port of a URL. Name servers may answer differently later, so
// every connect checks the addresses again.

import { type AddressPolicy, forbiddenTarget } from './address-policy.ts';
import type { Egress } from './egress.ts';
import type { Resolved } from './host-resolver.ts';
import { literalAddresses } from './literal-host.ts';

const resolveMaxMs = 2_000;

/**
 * Resolves the host and returns what is wrong with the target. A name without an address is accepted unless it is
 * reserved: its receiver may come up later. With a proxy, only the proxy can resolve the name.
 */
export async function checkHost(text: string, { policy, resolver, proxy }: Egress): Promise<string | undefined> {
  const url = new URL(text);
  const resolved = proxy ? undefined : await inTime(resolver.resolve(url.hostname));
  return checkTarget(url, resolved?.kind === 'addresses' ? resolved.addresses : undefined, policy);
}

function inTime(resolving: Promise<Resolved>): Promise<Resolved | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, resolveMaxMs, undefined);
    void resolving.then((resolved) => {
      clearTimeout(timer);
      resolve(resolved);
    });
  });
}

/**
 * Returns what is wrong with the target, given its addresses if they are known. If all its addresses are in
 * FLAGHOIST_ALLOWED_TARGETS, any name and any port is allowed. A reserved name without a known address is rejected: no
 * public receiver can ever exist under it.
 */
export function checkTarget(
  { hostname, port }: Pick<URL, 'hostname' | 'port'>,
  addresses: readonly string[] | undefined,
  policy: AddressPolicy,
): string | undefined {
  if (policy.isUnlimited) return undefined;
  if (addresses?.some((address) => !policy.isAllowed(address))) return forbiddenTarget;
  if (addresses?.every((address) => policy.isListed(address))) return undefined;
  const mistake = (literalAddresses(hostname) ? undefined : checkReservedName(hostname)) ?? checkPort(port);
  return mistake === undefined ? undefined : `cannot be sent to: ${mistake}. ${howToAllow}`;
}

const howToAllow =
  'The operator of this service can allow it by adding all addresses of the host to FLAGHOIST_ALLOWED_TARGETS.';

/** `hostname` as `new URL` returns it: lower case, ASCII, and not an IP address. */
function checkReservedName(hostname: string): string | undefined {
  const labels = hostname.replace(/\.$/, '').split('.');
  // Top-level domains must not have addresses themselves (SAC053). Examples are `metadata` and `ip6-loopback`.
  if (labels.length === 1) return 'a host name without a dot is never public';
  const suffixes = labels.map((_, index) => labels.slice(index).join('.'));
  const reserved = suffixes.find((suffix) => reservedSuffixes.has(suffix));
  return reserved === undefined ? undefined : `host names that end in "${reserved}" are never public`;
}

/** Names that never have a public address. Each also covers the names below it: `internal` covers `x.internal`. */
const reservedSuffixes: ReadonlySet<string> = new Set([
  // RFC 6761. `example` is not listed: §6.5 says that applications should not treat it as special.
  'localhost',
  'test',
  'invalid',
  'local', // RFC 6762; also `cluster.local` of Kubernetes
  'onion', // RFC 7686
  'alt', // RFC 9476
  'arpa', // RFC 3172; includes `home.arpa` (RFC 8375) and the reverse zones of RFC 6761
  'internal', // reserved by ICANN in 2024; `metadata.google.internal`, `ec2.internal`, `host.docker.internal`
  // In private use, never delegated: RFC 6762 appendix G, and ICANN for `corp` and `home`.
  'corp',
  'home',
  'intranet',
  'lan',
  'localdomain',
  'private',
  'svc', // Kubernetes services, in the short form that pods may use
  // Metadata services of clouds under public domains.
  'metadata.goog',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
]);

/** `port` as `new URL` returns it: empty for the default port of the protocol. */
function checkPort(port: string): string | undefined {
  return blockedPorts.has(Number(port)) ? `port ${port} is one that browsers block` : undefined;
}

/**
 * Ports of other protocols, to which browsers refuse to send HTTP: the "bad ports" of the Fetch standard. A server of
 * such a protocol could interpret a request as its own commands.
 */
const blockedPorts: ReadonlySet<number> = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179],
  ...[389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636],
  ...[989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);
