// Hosts of URLs whose addresses are known without asking anybody.

import { isIP } from 'node:net';

/** `hostname` as `new URL` has it, which brings every spelling of an address to one. Undefined where it must be resolved. */
export function literalAddresses(hostname: string): readonly string[] | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return [address];
  // RFC 6761 §6.3: never asked of a name server, which could say something else.
  return /(^|\.)localhost\.?$/i.test(hostname) ? loopback : undefined;
}

const loopback = ['127.0.0.1', '::1'];
