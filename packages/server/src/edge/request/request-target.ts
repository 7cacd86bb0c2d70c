// The request target of RFC 9112 §3.2: reduces an absolute URL to its path and query, and reports invalid targets.

import type { IncomingMessage } from 'node:http';

type RequestLine = Pick<IncomingMessage, 'url' | 'method'>;

/**
 * Returns path and query of an absolute `http` or `https` URL, and every other target unchanged. The text is split but
 * not normalised: routing and the token check must see the same bytes as for a plain path. The host of the URL takes
 * precedence over the `Host` header (§3.2.2). Neither is used here: links are built from the base URL.
 */
export function pathOfTarget({ url = '', method }: RequestLine): string {
  const [, authority = '', rest = ''] = absoluteForm.exec(url) ?? [];
  if (!isHost(authority)) return url;
  if (rest === '' && method === 'OPTIONS') return '*';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

export function findTargetMistake({ url = '', method }: RequestLine): string | undefined {
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS'))
    return 'The request target must be a path, or an http or https URL with a host and without a user name.';
  // The router would end the path at the `#` and read what follows as the query.
  if (url.includes('#')) return 'The request target has a fragment; a "#" in it must be percent-encoded.';
  return undefined;
}

/** RFC 3986 §3.2.2: a name, an IPv4 address, or an IPv6 address in brackets. */
export const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;

function isHost(authority: string): boolean {
  return hostForm.test(authority) && !/^(?::|$)/.test(authority);
}
