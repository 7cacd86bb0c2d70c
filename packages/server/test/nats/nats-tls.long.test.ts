// TLS, client certificates and credentials of NATS, against a real server. The worker is a process of its own: which
// authorities it trusts is settled when it starts.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Authority, type Certificate, hasOpenssl, useAuthority } from '../channels/certificates.ts';
import { describeNats, startNats } from '../channels/nats-server.ts';
import { createVoyage, settled, subscribeTo } from '../deliver/hooks.ts';
import { startWorker } from '../deliver/worker-process.ts';
import { useTestService } from '../support/test-service.ts';
import { credentialsOf, type Key } from './user-credentials.ts';

const delivery = { FLAGHOIST_DELIVERY_ATTEMPTS: '1', FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '4' };
const service = useTestService({ FLAGHOIST_ROLES: 'api', ...delivery });

/** With the paths of the certificate, as the configuration wants them. */
function tlsSection({ key, cert }: Certificate, { path }: Authority, more = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-nats-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  return `tls { cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem", ca_file: "${path}", ${more} }`;
}

describeNats('with a server', () => {
  describe.skipIf(!hasOpenssl)('and certificates', () => {
    const authority = hasOpenssl ? useAuthority() : ({} as Authority);

    test('the server is verified by its name or address, and a client certificate is presented', async () => {
      const certificate = authority.issue('DNS:nats.localhost,IP:127.0.0.1');
      const node = await startNats(tlsSection(certificate, authority, 'verify: true'));
      const client = authority.issue('DNS:client');
      service.secrets.plant('the key of a client certificate', client.key);
      const auth = { type: 'MTLS', certificate: client.cert, privateKey: client.key };
      const subscribe = (host: string, more: object = {}) =>
        subscribeTo(service, { channelInfo: { channelType: 'NATS', URL: `tls://${host}:${node.port}`, ...more } });
      const subscriptions = [
        await subscribe('nats.localhost', { auth }),
        await subscribe('127.0.0.1', { auth }),
        await subscribe('other.localhost', { auth }),
        await subscribe('nats.localhost'),
      ];
      await startWorker(service.database.url, {
        FLAGHOIST_CA_FILE: authority.path,
        ...delivery,
      });
      await createVoyage(service);
      const reasons = [];
      for (const each of subscriptions)
        reasons.push((await settled(service, each, ['FAILED'], 20_000))[0].errorMessage);
      // Signed in: what is missing is a stream.
      expect(reasons).toEqual([
        expect.stringMatching(/^No stream /),
        expect.stringMatching(/^No stream /),
        'The TLS certificate is not valid: it is for another name.',
        expect.stringMatching(/TLS|closed/),
      ]);
    });
  });

  test('credentials of a .creds file sign in, and those of another account do not', async () => {
    const operator = nkeys.createOperator();
    const account = nkeys.createAccount();
    const user = nkeys.createUser();
    const system = nkeys.createAccount();
    const [accountJwt, systemJwt] = [account, system].map((each) =>
      signJwt(operator, each, { type: 'account', limits: accountLimits }),
    );
    const node = await startNats(`operator: ${signJwt(operator, operator, { type: 'operator' })}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: { ${account.getPublicKey()}: ${accountJwt}, ${system.getPublicKey()}: ${systemJwt} }`);
    const right = credentialsOf(signJwt(account, user, { type: 'user', ...userLimits }), user);
    const stranger = nkeys.createAccount();
    const wrong = credentialsOf(signJwt(stranger, user, { type: 'user', ...userLimits }), user);
    service.secrets.plant('the seed of credentials', Buffer.from(user.getSeed()).toString());
    const ping = async (credentials: string) => {
      const { key, channelInfo } = await subscribeTo(service, {
        channelInfo: { channelType: 'NATS', URL: node.url, auth: { type: 'CREDENTIALS', credentials } },
      });
      expect(channelInfo.auth).toEqual({ type: 'CREDENTIALS' });
      return (await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {})).body.errorMessage;
    };
    expect(await ping(right)).toMatch(/^No stream /);
    expect(await ping(right.replaceAll('\n', '\r\n'))).toMatch(/^No stream /);
    expect(await ping(wrong)).toBe('The NATS server does not accept the credentials.');
  });
});

const accountLimits = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
};
const userLimits = { subs: -1, data: -1, payload: -1, pub: {}, sub: {} };

function signJwt(issuer: Key, subject: Key, nats: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { jti: 'x', iat: 1, iss: issuer.getPublicKey(), sub: subject.getPublicKey(), name: 'test' };
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ ...claims, nats: { ...nats, version: 2 } })}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}
