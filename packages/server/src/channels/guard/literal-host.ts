// Hosts of URLs whose addresses are known without a DNS query.

import { isIP } from 'node:net';

/**
 * `hostname` as `new URL` returns it, which normalises every notation of an address. Undefined if the name must be
 * resolved.
 */
export function literalAddresses(hostname: string): readonly string[] | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return [address];
  // RFC 6761 §6.3: never sent to a name server, which could return a different address.
  return /(^|\.)localhost\.?$/i.test(hostname) ? loopback : undefined;
}

const loopback = ['127.0.0.1', '::1'];
