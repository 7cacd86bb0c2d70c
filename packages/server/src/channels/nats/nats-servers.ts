// The address of a NATS cluster: one or several servers, `nats://host:port` or `tls://host:port`, with commas between
// them.

import { nameCodePoint } from '@flaghoist/source-text';
import type { Settings } from '../../config/settings-table.ts';
import { parseUrl } from '../../parse-url.ts';
import type { AddressPolicy } from '../guard/address-policy.ts';
import { checkTarget } from '../guard/check-target.ts';
import { literalAddresses } from '../guard/literal-host.ts';

export interface NatsServer {
  readonly isTls: boolean;
  /** As `new URL` returns it: an IPv6 address is in brackets. */
  readonly hostname: string;
  readonly port: string;
}

const defaultPort = '4222';
const serversMax = 16;

/** Undefined if the text is not valid. */
export function parseServers(text: string): readonly NatsServer[] | undefined {
  const servers = text.split(',').map(parseServer);
  return servers.every((server) => server !== undefined) ? servers : undefined;
}

/** Returns what is wrong with the address as far as its text tells; undefined if it is valid. */
export function checkServers(
  text: string,
  policy: AddressPolicy,
  environment: Settings['environment'],
): string | undefined {
  const mistake = checkText(text);
  if (mistake !== undefined) return mistake;
  const servers = parseServers(text);
  if (!servers) return `must be ${form}.`;
  return firstOf(servers, (server) => checkServer(server, policy, environment));
}

/** The server as a URL that the guard can check. */
export function urlOf({ hostname, port }: NatsServer): string {
  return `http://${hostname}:${port}/`;
}

const form = 'the URL of a NATS server, like nats://nats.agent.example:4222, or several with commas between them';

function parseServer(text: string): NatsServer | undefined {
  const [, scheme, host, port = defaultPort] = /^(nats|tls):\/\/([^/?#@,]+?)(?::(\d{1,5}))?\/?$/i.exec(text) ?? [];
  if (scheme === undefined || Number(port) === 0 || Number(port) > 65_535) return undefined;
  // `http` is a scheme whose hosts are normalised: `0x7f.1` is 127.0.0.1.
  const hostname = parseUrl(`http://${host}/`)?.hostname ?? '';
  const isHost = hostname !== '' && !hostname.replace(/\.$/, '').split('.').includes('');
  return isHost ? { isTls: scheme.toLowerCase() === 'tls', hostname, port: String(Number(port)) } : undefined;
}

function checkText(text: string): string | undefined {
  const stranger = /[\0-\x20\x7f\\]/.exec(text);
  if (stranger)
    return (
      `cannot have ${stranger[0] === ' ' ? 'a space' : nameCodePoint(stranger[0].charCodeAt(0))} at position ` +
      `${stranger.index + 1}: no URL has spaces, control characters or backslashes.`
    );
  if (text.includes('@')) return 'cannot carry a user or password: send webhookUsername and webhookPassword.';
  const count = text.split(',').length;
  return count > serversMax ? `may have at most ${serversMax} servers; these are ${count}.` : undefined;
}

/** The same rules as for `http` and `https`. */
function checkServer(
  server: NatsServer,
  policy: AddressPolicy,
  environment: Settings['environment'],
): string | undefined {
  const addresses = literalAddresses(server.hostname);
  // A host name is checked after it is resolved, because its addresses may be allowed.
  const mistake = addresses && checkTarget(server, addresses, policy);
  if (mistake !== undefined) return mistake;
  const isListed = addresses?.every((address) => policy.isListed(address)) ?? false;
  return environment === 'production' && !server.isTls && !isListed
    ? 'must be a tls URL: this is a production environment.'
    : undefined;
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
