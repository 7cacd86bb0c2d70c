// Checks whether notifications may be sent to the host of a URL, by what name servers return now. The result may
// change, so every connect checks again.

import type { AddressPolicy } from './address-policy.ts';
import { checkTarget } from './check-target.ts';
import type { HostResolver, Resolved } from './host-resolver.ts';

export interface HostCheckParts {
  policy: AddressPolicy;
  resolver: HostResolver;
}

const withinMs = 2_000;

/**
 * Returns what is wrong with the host. A name without an address is accepted unless it is reserved: its receiver may
 * come up later.
 */
export async function checkHost(text: string, { policy, resolver }: HostCheckParts): Promise<string | undefined> {
  const url = new URL(text);
  const resolved = await within(resolver.resolve(url.hostname));
  return checkTarget(url, resolved?.kind === 'addresses' ? resolved.addresses : undefined, policy);
}

function within(resolving: Promise<Resolved>): Promise<Resolved | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, withinMs, undefined);
    void resolving.then((resolved) => {
      clearTimeout(timer);
      resolve(resolved);
    });
  });
}
