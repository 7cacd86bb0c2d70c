// Whether the host of a URL is one that notifications may be sent to, as far as name servers tell at this moment. They may tell
// something else at the next: it is asked again at every connect.

import type { AddressPolicy } from './address-policy.ts';
import { checkTarget } from './check-target.ts';
import type { HostResolver, Resolved } from './host-resolver.ts';

export interface HostCheckParts {
  policy: AddressPolicy;
  resolver: HostResolver;
}

const withinMs = 2_000;

/** What is wrong with it. A name without an address is taken, unless it is reserved: its receiver may come up later. */
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
