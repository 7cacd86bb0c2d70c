// Resolves the host names in a subscription when it is saved. This happens before a transaction is opened, so that
// nothing else waits for a name server. Literal addresses are checked with the rest of the body.

import { checkHost, type HostCheckParts } from '../channels/guard/check-host.ts';
import { literalAddresses } from '../channels/guard/literal-host.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import type { PlacedBody } from '../objects/placed-bodies.ts';
import { type AddressPolicy, checkAddress } from './check-address.ts';

export async function precheckHosts(
  bodies: readonly PlacedBody[],
  parts: HostCheckParts,
  addresses: AddressPolicy,
): Promise<Violation[]> {
  const named = bodies.flatMap((body) => namedHosts(body, addresses));
  const hosts = new Map(named.map(({ host, url }) => [host, url]));
  const mistakes = new Map(
    await Promise.all([...hosts].map(async ([host, url]) => [host, await checkHost(url, parts)] as const)),
  );
  return named.flatMap(({ path, host }) => {
    const message = mistakes.get(host);
    return message === undefined ? [] : [{ path, message }];
  });
}

interface NamedHost {
  path: string;
  /** Includes the port, which is checked along with the host. */
  host: string;
  url: string;
}

function namedHosts({ body, path }: PlacedBody, addresses: AddressPolicy): NamedHost[] {
  if (!(body instanceof Map)) return [];
  const info = body.get('channelInfo');
  const said = [
    { name: 'url', url: body.get('url') },
    { name: 'channelInfo.URL', url: info instanceof Map ? info.get('URL') : undefined },
  ];
  return said.flatMap(({ name, url }) => {
    // A mail address has no host to resolve. Mistakes in the text of a URL are reported with the rest of the body.
    if (typeof url !== 'string' || checkAddress(url, 'HTTP', addresses) !== undefined) return [];
    const { hostname, host } = new URL(url);
    return literalAddresses(hostname) ? [] : [{ path: joinPath(path, name), host, url }];
  });
}
