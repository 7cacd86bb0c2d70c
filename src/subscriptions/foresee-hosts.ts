// Names that a subscription would be sent to are looked up when it is saved, before a transaction is opened: nobody else waits for a
// name server. Literal addresses need no looking up, and are checked with the rest of the body.

import { checkHost, type HostCheckParts } from '../channels/check-host.ts';
import { literalAddresses } from '../channels/literal-host.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../objects/check-body.ts';
import type { PlacedBody } from '../objects/placed-bodies.ts';
import { parseUrl } from '../parse-url.ts';

export async function foreseeHosts(bodies: readonly PlacedBody[], parts: HostCheckParts): Promise<Violation[]> {
  const named = bodies.flatMap(namedHosts);
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
  host: string;
  url: string;
}

function namedHosts({ body, path }: PlacedBody): NamedHost[] {
  if (!(body instanceof Map)) return [];
  const info = body.get('channelInfo');
  const said = [
    { name: 'url', url: body.get('url') },
    { name: 'channelInfo.URL', url: info instanceof Map ? info.get('URL') : undefined },
  ];
  return said.flatMap(({ name, url }) => {
    if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return [];
    const host = parseUrl(url)?.hostname;
    return host === undefined || literalAddresses(host) ? [] : [{ path: joinPath(path, name), host, url }];
  });
}
