// Host names that never lead to a public address, as one table. Pure; asks no name server.

/** Reserved with everything below them: `internal` stands for `x.internal` too. */
const reservedSuffixes: ReadonlySet<string> = new Set([
  // RFC 6761. `example` is left out: §6.5 tells applications not to treat it as special.
  'localhost',
  'test',
  'invalid',
  'local', // RFC 6762; `cluster.local` of Kubernetes too
  'onion', // RFC 7686
  'alt', // RFC 9476
  'arpa', // RFC 3172, with `home.arpa` (RFC 8375) and the reverse zones of RFC 6761
  'internal', // reserved by ICANN in 2024; `metadata.google.internal`, `ec2.internal`, `host.docker.internal`
  // In private use, never delegated: RFC 6762 appendix G, and ICANN for `corp` and `home`.
  'corp',
  'home',
  'intranet',
  'lan',
  'localdomain',
  'private',
  'svc', // services of Kubernetes, as pods may shorten their names
  // Metadata services of clouds under public domains.
  'metadata.goog',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
]);

/** What is wrong with it. `hostname` as `new URL` has it: in lower case and in ASCII, and not an IP address. */
export function checkReservedName(hostname: string): string | undefined {
  const labels = hostname.replace(/\.$/, '').split('.');
  // Top-level domains may not have addresses of their own (SAC053). `metadata` and `ip6-loopback` are such names.
  if (labels.length === 1) return 'a host name without a dot is never public';
  const suffixes = labels.map((_, index) => labels.slice(index).join('.'));
  const reserved = suffixes.find((suffix) => reservedSuffixes.has(suffix));
  return reserved === undefined ? undefined : `host names that end in "${reserved}" are never public`;
}
