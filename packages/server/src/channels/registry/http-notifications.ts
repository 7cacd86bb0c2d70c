// The channel HTTP: a POST to a URL, signed, with the credentials of the subscription.

import { allowedTargetsOf } from '../../config/allowed-targets-of.ts';
import type { Settings } from '../../config/settings-table.ts';
import { parseUrl } from '../../parse-url.ts';
import { createAddressPolicy } from '../guard/address-policy.ts';
import { checkHost, type HostCheckParts } from '../guard/check-target.ts';
import { HostResolver } from '../guard/host-resolver.ts';
import { literalAddresses } from '../guard/literal-host.ts';
import { checkUrl } from '../http/check-url.ts';
import { HttpChannel, type OnEnd } from '../http/http-channel.ts';
import { signatureHeader } from '../http/sign.ts';
import type { AddressCheck, Channel, ChannelParts, Message, OpenChannel, Receiver } from './channel.ts';

export const httpNotifications: Channel = {
  checkAddresses,
  nameReceiver: (url) => parseUrl(url)?.host ?? url,
  open: (parts) => new HttpNotifications(parts),
};

export function connectionsMaxOf({ deliveriesInFlight }: Pick<Settings, 'deliveriesInFlight'>): number {
  return 2 * deliveriesInFlight;
}

/**
 * At this share of the connections, receivers that have enough connections open no more. The rest is left for receivers
 * that have none.
 */
export const scarceShare = 0.75;

function checkAddresses(settings: Settings): AddressCheck {
  const hosts = hostsOf(settings);
  return {
    check: (url) => checkUrl(url, hosts.policy, settings.environment),
    precheck: (urls) => checkHosts(urls, hosts),
  };
}

function hostsOf(settings: Settings): HostCheckParts {
  return {
    policy: createAddressPolicy(allowedTargetsOf(settings)),
    resolver: new HostResolver({ dnsServers: settings.dnsServers }),
  };
}

/** Each host is resolved once. Literal addresses are checked with the text of the URL. */
async function checkHosts(urls: readonly string[], parts: HostCheckParts): Promise<Map<string, string>> {
  const checks = new Map<string, Promise<string | undefined>>();
  const mistakes = new Map<string, string>();
  await Promise.all(
    urls.map(async (url) => {
      // The port is checked along with the host.
      const { hostname, host } = new URL(url);
      if (literalAddresses(hostname)) return;
      const check = checks.get(host) ?? checkHost(url, parts);
      checks.set(host, check);
      const mistake = await check;
      if (mistake !== undefined) mistakes.set(url, mistake);
    }),
  );
  return mistakes;
}

class HttpNotifications implements OpenChannel {
  readonly #http: HttpChannel;
  readonly #connectionsMax: number;

  constructor({ settings, version }: ChannelParts) {
    this.#connectionsMax = connectionsMaxOf(settings);
    this.#http = new HttpChannel({
      ...hostsOf(settings),
      timeoutMs: settings.deliveryTimeoutMs,
      userAgent: `Flaghoist/${version}`,
      connectionsMax: this.#connectionsMax,
    });
  }

  get isScarce(): boolean {
    return this.#http.connections >= scarceShare * this.#connectionsMax;
  }

  /** Receivers limit what they take themselves, with `Retry-After`. */
  takeAllowance(): number {
    return 0;
  }

  send(message: Message, receiver: Receiver, startedAt: Date, onEnd: OnEnd): void {
    const { id, contentType, body } = message;
    const timestamp = Math.floor(startedAt.getTime() / 1000);
    const secrets = secretsAt(receiver, startedAt);
    const headers = ['content-type', contentType, 'webhook-id', id, 'webhook-timestamp', String(timestamp)];
    addOwnHeaders(headers, message, receiver);
    if (secrets.length > 0) headers.push('webhook-signature', signatureHeader(secrets, id, timestamp, body));
    if (receiver.authorization !== undefined) headers.push('authorization', receiver.authorization);
    this.#http.send({ url: receiver.url, headers, body }, onEnd);
  }

  close(graceMs: number): Promise<void> {
    return this.#http.close(graceMs);
  }
}

function addOwnHeaders(headers: string[], { event, sequence, attempt, replay }: Message, { key }: Receiver): void {
  headers.push('flaghoist-event', event, 'flaghoist-sequence', String(sequence));
  headers.push('flaghoist-subscription', String(key), 'flaghoist-attempt', String(attempt));
  if (replay !== undefined) headers.push('flaghoist-replay', String(replay));
}

/** The newest secret first. The previous one also signs for a grace period. */
function secretsAt({ secret, previous }: Receiver, now: Date): Buffer[] {
  const secrets = secret ? [secret] : [];
  if (previous && previous.untilMs > now.getTime()) secrets.push(previous.secret);
  return secrets;
}
