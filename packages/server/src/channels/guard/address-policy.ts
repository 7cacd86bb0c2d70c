// Decides which addresses notifications may be sent to: public ones, and those that the operator allows. Pure; does not
// resolve names.

import { isIP } from 'node:net';

export interface AddressPolicy {
  /** Whether notifications may be sent to the address. */
  isAllowed(address: string): boolean;
  /** Whether the operator allows the address explicitly, public or not. */
  isListed(address: string): boolean;
  /** Whether names and ports are not checked either: for the operator's own URLs. */
  readonly isUnlimited?: true;
}

/** The message for a target with an address that is not allowed. */
export const forbiddenTarget =
  'cannot be sent to: its address is not a public one. The operator of this service can allow it with ' +
  'FLAGHOIST_ALLOWED_TARGETS.';

/** `allowedTargets`: addresses and CIDR ranges. */
export function createAddressPolicy(allowedTargets: readonly string[]): AddressPolicy {
  const listed = allowedTargets.map(parseRange);
  const isListed = (bytes: Bytes) => isInSome(listed, bytes);
  return {
    isAllowed: (address) => {
      const bytes = parseAddress(address);
      return bytes !== undefined && (isListed(bytes) || isPublic(bytes));
    },
    isListed: (address) => {
      const bytes = parseAddress(address);
      return bytes !== undefined && isListed(bytes);
    },
  };
}

/** Four bytes for IPv4, sixteen for IPv6. */
type Bytes = readonly number[];

interface Range {
  start: Bytes;
  bits: number;
}

function isPublic(bytes: Bytes): boolean {
  if (bytes.length === 4) return !isInSome(special4, bytes);
  return isIn(unicast6, bytes) && !isInSome(special6, bytes) && !isIsatap(bytes);
}

/** An IPv4-mapped IPv6 address is treated as the IPv4 address, because the kernel connects to that. */
function parseAddress(address: string): Bytes | undefined {
  const family = isIP(address);
  if (family === 4) return address.split('.').map(Number);
  // An address with a zone (`fe80::1%eth0`) is link-local, and no URL can contain it.
  if (family === 0 || address.includes('%')) return undefined;
  const bytes = parseIpv6(address);
  return isIn(mapped4, bytes) ? bytes.slice(12) : bytes;
}

function parseIpv6(address: string): Bytes {
  // The URL parser normalises the address to hexadecimal groups with at most one `::`.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const gap = Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...gap, ...after].flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function parseRange(text: string): Range {
  const [address = '', bits] = text.split('/');
  const start = parseAddress(address);
  if (!start) throw new Error(`${text} is not an address or CIDR range`);
  // In a mapped range (`::ffff:10.0.0.0/104`), the first 96 bits are the prefix of mapped addresses.
  const skipped = address.includes(':') && start.length === 4 ? 96 : 0;
  return { start, bits: bits === undefined ? start.length * 8 : Math.max(0, Number(bits) - skipped) };
}

function isInSome(ranges: readonly Range[], bytes: Bytes): boolean {
  return ranges.some((range) => isIn(range, bytes));
}

function isIn({ start, bits }: Range, bytes: Bytes): boolean {
  if (bytes.length !== start.length) return false;
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (bytes[i] !== start[i]) return false;
  const mask = (0xff00 >> (bits & 7)) & 0xff;
  return mask === 0 || ((bytes[whole]! ^ start[whole]!) & mask) === 0;
}

/** RFC 5214: an IPv4 address inside an interface id, possible under any prefix. */
function isIsatap(bytes: Bytes): boolean {
  return (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

const mapped4: Range = { start: [...Array<number>(10).fill(0), 0xff, 0xff, 0, 0, 0, 0], bits: 96 };

/** The IANA registry of special-purpose addresses, multicast, and addresses that clouds use internally. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // shared by carriers; metadata service of Alibaba
  '127.0.0.0/8',
  '168.63.129.16/32', // host of an Azure machine
  '169.254.0.0/16', // link-local; metadata services of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(parseRange);

/**
 * All addresses assigned for use on the internet. Everything else is rejected, for example `::/96`, `64:ff9b::/96`
 * (NAT64) and `fc00::/7`.
 */
const unicast6 = parseRange('2000::/3');

const special6 = [
  '2001::/23', // protocols: Teredo, ORCHID, benchmarks
  '2001:db8::/32',
  '2002::/16', // 6to4: contains an IPv4 address
  '2620:4f:8000::/48',
  '3ffe::/16',
  '3fff::/20',
].map(parseRange);
