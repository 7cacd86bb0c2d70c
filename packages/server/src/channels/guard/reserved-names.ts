// Host names that never resolve to a public address, as one table. Pure; sends no DNS queries.

/** Each entry also covers the names below it: `internal` covers `x.internal`. */
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

/**
 * Returns what is wrong with the name. `hostname` as `new URL` returns it: lower case, ASCII, and not an IP address.
 */
export function checkReservedName(hostname: string): string | undefined {
  const labels = hostname.replace(/\.$/, '').split('.');
  // Top-level domains must not have addresses themselves (SAC053). Examples are `metadata` and `ip6-loopback`.
  if (labels.length === 1) return 'a host name without a dot is never public';
  const suffixes = labels.map((_, index) => labels.slice(index).join('.'));
  const reserved = suffixes.find((suffix) => reservedSuffixes.has(suffix));
  return reserved === undefined ? undefined : `host names that end in "${reserved}" are never public`;
}
