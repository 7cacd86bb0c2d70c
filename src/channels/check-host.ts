// Whether the host of a URL is one that notifications may be sent to, as far as name servers tell at this moment. They may tell
// something else at the next: it is asked again at every connect.

import { type AddressPolicy, forbiddenTarget } from './address-policy.ts';
import type { HostResolver, Resolved } from './host-resolver.ts';

export interface HostCheckParts {
  policy: AddressPolicy;
  resolver: HostResolver;
}

const withinMs = 2_000;

/** What is wrong with it. A name that has no address, or none yet, is taken: receivers may come up later. */
export async function checkHost(url: string, { policy, resolver }: HostCheckParts): Promise<string | undefined> {
  const resolved = await within(resolver.resolve(new URL(url).hostname));
  if (resolved?.kind !== 'addresses') return undefined;
  return resolved.addresses.every((address) => policy.isAllowed(address)) ? undefined : forbiddenTarget;
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
