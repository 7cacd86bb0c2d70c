// The channel HTTP: a POST to a URL, signed, with the credentials of the subscription.

import type { Settings } from '../../config/settings-table.ts';
import type { Attributes } from '../../observe/traces/tracing.ts';
import { parseUrl } from '../../parse-url.ts';
import { checkHost } from '../guard/check-target.ts';
import { type Egress, egressOf } from '../guard/egress.ts';
import { literalAddresses } from '../guard/literal-host.ts';
import { tlsIdentityOf } from '../guard/tls-identity.ts';
import { AccessTokens } from '../http/access-tokens.ts';
import { checkUrl } from '../http/check-url.ts';
import type { HttpChannel } from '../http/http-channel.ts';
import { openHttp } from '../http/open-http.ts';
import { sendWithToken } from '../http/send-with-token.ts';
import { forAuth } from '../receiver-auth.ts';
import type { SendResult } from '../send-result.ts';
import type { AddressCheck, Channel, ChannelParts, Message, OpenChannel, Receiver } from './channel.ts';
import { messageHeaders } from './message-headers.ts';

export const httpNotifications: Channel = {
  checkAddresses,
  checkAuthorization: ({ url, authType }) =>
    authType === 'MTLS' && /^http:/i.test(url)
      ? 'needs an https URL: a certificate is presented only over TLS.'
      : undefined,
  nameReceiver: (url) => parseUrl(url)?.host ?? url,
  spans: { attributesOf, statusName: 'http.response.status_code' },
  open: (parts) => new HttpNotifications(parts),
};

function attributesOf(address: string, attempt: number): Attributes {
  const url = parseUrl(address);
  return {
    'http.request.method': 'POST',
    'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
    'server.address': url?.hostname,
    'server.port': url && Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  };
}

export function connectionsMaxOf({ deliveriesInFlight }: Pick<Settings, 'deliveriesInFlight'>): number {
  return 2 * deliveriesInFlight;
}

/**
 * At this share of the connections, receivers that have enough connections open no more. The rest is left for receivers
 * that have none.
 */
export const scarceShare = 0.75;

function checkAddresses(settings: Settings): AddressCheck {
  const egress = egressOf(settings);
  return {
    check: (url) => checkUrl(url, egress.policy, settings.environment),
    precheck: (urls) => checkHosts(urls, egress),
  };
}

/** Each host is resolved once. Literal addresses are checked with the text of the URL. */
async function checkHosts(urls: readonly string[], egress: Egress): Promise<Map<string, string>> {
  const checks = new Map<string, Promise<string | undefined>>();
  const mistakes = new Map<string, string>();
  await Promise.all(
    urls.map(async (url) => {
      // The port is checked along with the host.
      const { hostname, host } = new URL(url);
      if (literalAddresses(hostname)) return;
      const check = checks.get(host) ?? checkHost(url, egress);
      checks.set(host, check);
      const mistake = await check;
      if (mistake !== undefined) mistakes.set(url, mistake);
    }),
  );
  return mistakes;
}

class HttpNotifications implements OpenChannel {
  readonly #http: HttpChannel;
  readonly #tokens: AccessTokens;
  readonly #connectionsMax: number;

  constructor({ settings, version }: ChannelParts) {
    this.#connectionsMax = connectionsMaxOf(settings);
    const { deliveryTimeoutMs: timeoutMs } = settings;
    this.#http = openHttp({ settings, version, timeoutMs, connectionsMax: this.#connectionsMax });
    this.#tokens = new AccessTokens(this.#http);
  }

  get isScarce(): boolean {
    return this.#http.connections >= scarceShare * this.#connectionsMax;
  }

  /** Receivers limit what they take themselves, with `Retry-After`. */
  takeAllowance(): number {
    return 0;
  }

  send(message: Message, receiver: Receiver, startedAt: Date, onEnd: (result: SendResult) => void): void {
    const { key, url, auth } = receiver;
    const headers = messageHeaders(message, receiver, startedAt);
    if (receiver.authorization !== undefined) headers.push('authorization', receiver.authorization);
    headers.push(...receiver.headers);
    const request = { url, headers, body: message.body };
    if (!auth) this.#http.send(request, onEnd);
    else
      forAuth(auth, {
        OAUTH2: (oauth) => void sendWithToken(this.#http, request, this.#tokens.sourceOf(key, oauth)).then(onEnd),
        MTLS: (mutual) => this.#http.send({ ...request, identity: tlsIdentityOf(mutual) }, onEnd),
        // Not accepted for this channel when a subscription is saved.
        CREDENTIALS: () => this.#http.send(request, onEnd),
      });
  }

  close(graceMs: number): Promise<void> {
    return this.#http.close(graceMs);
  }
}
