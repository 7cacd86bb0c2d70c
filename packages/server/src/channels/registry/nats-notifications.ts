// The channel NATS: published to JetStream, with the headers of HTTP, and delivered when the stream has acknowledged.

import type { Settings } from '../../config/settings-table.ts';
import { checkHost } from '../guard/check-target.ts';
import { type Egress, egressOf } from '../guard/egress.ts';
import { createGuardedConnector } from '../guard/guarded-connector.ts';
import { literalAddresses } from '../guard/literal-host.ts';
import { createTlsOpener } from '../guard/open-tls.ts';
import { tlsIdentityOf } from '../guard/tls-identity.ts';
import type { NatsIdentity } from '../nats/connect-nats.ts';
import { fillSubject } from '../nats/fill-subject.ts';
import { NatsChannel } from '../nats/nats-channel.ts';
import { NatsConnections } from '../nats/nats-connections.ts';
import { checkServers, parseServers, urlOf } from '../nats/nats-servers.ts';
import { type ByAuthType, forAuth } from '../receiver-auth.ts';
import type { SendResult } from '../send-result.ts';
import type { AddressCheck, Channel, ChannelParts, Message, OpenChannel, Receiver } from './channel.ts';
import { messageHeaders } from './message-headers.ts';

export const natsNotifications: Channel = {
  checkAddresses,
  checkAuthorization: ({ authType, hasPassword }) =>
    authType === 'CREDENTIALS' && hasPassword
      ? 'cannot be set: CREDENTIALS and webhookUsername or webhookPassword both sign in. Keep one of them, and set ' +
        'what is not wanted to null.'
      : undefined,
  nameReceiver: (url) =>
    parseServers(url)
      ?.map(({ hostname, port }) => `${hostname}:${port}`)
      .join(', ') ?? url,
  spans: {
    // Of several servers, the first: which one is connected is not known here.
    attributesOf: (url) => {
      const server = parseServers(url)?.[0];
      return { 'server.address': server?.hostname, 'server.port': server && Number(server.port) };
    },
    statusName: 'flaghoist.nats.status_code',
  },
  open: (parts) => new NatsNotifications(parts),
};

const connectTimeoutMaxMs = 5_000;

function checkAddresses(settings: Settings): AddressCheck {
  const egress = egressOf(settings);
  return {
    check: (url) => checkServers(url, egress.policy, settings.environment),
    precheck: async (urls) => {
      const mistakes = await Promise.all(urls.map(async (url) => [url, await checkHosts(url, egress)] as const));
      return new Map(mistakes.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
    },
  };
}

/** Literal addresses are checked with the text of the URL. */
async function checkHosts(url: string, egress: Egress): Promise<string | undefined> {
  const named = (parseServers(url) ?? []).filter(({ hostname }) => !literalAddresses(hostname));
  const mistakes = await Promise.all(named.map((server) => checkHost(urlOf(server), egress)));
  return mistakes.find((mistake) => mistake !== undefined);
}

class NatsNotifications implements OpenChannel {
  readonly #nats: NatsChannel;

  constructor({ settings }: ChannelParts) {
    const timeoutMs = settings.deliveryTimeoutMs;
    const connectTimeoutMs = Math.min(timeoutMs, connectTimeoutMaxMs);
    const egress = egressOf(settings);
    const connect = createGuardedConnector({ ...egress, timeoutMs: connectTimeoutMs });
    const openTls = createTlsOpener(egress.authorities, []);
    const connections = new NatsConnections({ connect, openTls, timeoutMs: connectTimeoutMs });
    this.#nats = new NatsChannel({ connections, timeoutMs, connectTimeoutMs });
  }

  /** A receiver has one connection, however many messages are in flight. */
  readonly isScarce = false;

  takeAllowance(): number {
    return 0;
  }

  send(message: Message, receiver: Receiver, startedAt: Date, onEnd: (result: SendResult) => void): void {
    const { id, body, objectType, operation, objectKey } = message;
    const { key, url } = receiver;
    const values = { objectType, operation, objectKey, subscription: key };
    const subject = fillSubject(receiver.subject ?? '', values);
    const headers = messageHeaders(message, receiver, startedAt);
    this.#nats.send({ url, identity: identityOf(receiver), subject, id, headers, body }, onEnd);
  }

  close(graceMs: number): Promise<void> {
    return this.#nats.close(graceMs);
  }
}

function identityOf({ username, password, auth }: Receiver): NatsIdentity {
  const none = { username, password, credentials: undefined, clientCertificate: undefined };
  return auth ? { ...none, ...forAuth(auth, identities) } : none;
}

const identities: ByAuthType<Partial<NatsIdentity>> = {
  CREDENTIALS: ({ credentials }) => ({ credentials }),
  MTLS: (auth) => ({ clientCertificate: tlsIdentityOf(auth) }),
  // Not accepted for this channel when a subscription is saved.
  OAUTH2: () => ({}),
};
