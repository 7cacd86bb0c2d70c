// How the service reaches an external issuer: through the egress proxy, and with the certificate authorities of the
// operator. The issuer is the operator's, so it may be at any address.

import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { KnownKeys } from '../../src/auth/external-issuer/known-keys.ts';
import { createOperatorGet } from '../../src/channels/http/operator-get.ts';
import { systemClock } from '../../src/clock.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { parseProxyUrl } from '../../src/config/proxy-url.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { startService } from '../../src/service.ts';
import { type Authority, type Certificate, hasOpenssl, useAuthority } from '../channels/certificates.ts';
import { type ConnectProxy, startProxy } from '../channels/connect-proxy.ts';
import { closedPort } from '../channels/receiver.ts';
import { administratorSettings } from '../support/access.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { type LoopbackIssuer, startLoopbackIssuer } from './loopback-issuer.ts';

interface Reached {
  issuerUrl: string;
  proxy?: { port: number; login?: string };
  authorities?: readonly string[];
}

/** What the service says about the issuer. */
async function reach({ issuerUrl, proxy, authorities }: Reached): Promise<Observation> {
  const observations: Observation[] = [];
  const egressProxy = proxy && parseProxyUrl(`http://${proxy.login ?? ''}127.0.0.1:${proxy.port}`);
  const get = createOperatorGet({ egressProxy, certificateAuthorities: authorities });
  const keys = new KnownKeys({ issuerUrl, get, clock: systemClock, observe: (each) => observations.push(each) });
  await keys.start();
  await keys.stop();
  expect(observations).toHaveLength(1);
  return observations[0]!;
}

async function startIssuer(name?: string): Promise<LoopbackIssuer> {
  const issuer = await startLoopbackIssuer();
  onTestFinished(() => issuer.stop());
  await issuer.addKey('first');
  if (name !== undefined) issuer.metadata = { issuer: name, jwks_uri: `${name}/keys` };
  return issuer;
}

const portOf = (issuer: LoopbackIssuer) => Number(new URL(issuer.url).port);

describe('with an egress proxy', () => {
  const startBoth = async (): Promise<{ issuer: LoopbackIssuer; proxy: ConnectProxy }> => {
    const issuer = await startIssuer('http://login.example');
    return { issuer, proxy: await startProxy({ ports: { 'login.example:80': portOf(issuer) } }) };
  };

  test('metadata and keys come through tunnels, by a name that only the proxy can resolve', async () => {
    const { issuer, proxy } = await startBoth();
    const reached = await reach({
      issuerUrl: 'http://login.example',
      proxy: { port: proxy.port, login: 'user:pass@' },
    });
    expect(reached).toEqual({ kind: 'issuer.keysLoaded', issuer: 'http://login.example', keys: 1 });
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
    expect([...new Set(proxy.asked)]).toEqual(['login.example:80']);
    expect(proxy.credentials[0]).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`);
    expect(proxy.others).toBe(0);
  });

  test('an issuer in the own network is reached as well: its address is not checked', async () => {
    const [issuer, proxy] = [await startIssuer(), await startProxy()];
    expect(await reach({ issuerUrl: issuer.url, proxy })).toMatchObject({ kind: 'issuer.keysLoaded' });
    expect(new Set(proxy.asked)).toEqual(new Set([`127.0.0.1:${portOf(issuer)}`]));
  });

  test('nothing goes past it, and the log names it when it is down or refuses', async () => {
    const issuer = await startIssuer();
    const down = await reach({ issuerUrl: issuer.url, proxy: { port: await closedPort() } });
    expect(down).toMatchObject({
      kind: 'issuer.unreachable',
      reason: expect.stringContaining(
        'cannot be reached: The proxy of FLAGHOIST_EGRESS_PROXY cannot be used: ECONNREFUSED. ',
      ),
    });
    const refusing = await startProxy({ answer: 'HTTP/1.1 407 No\r\n\r\n' });
    expect(await reach({ issuerUrl: issuer.url, proxy: refusing })).toMatchObject({
      reason: expect.stringContaining('it answered 407: check user and password. '),
    });
    expect(issuer.asked).toEqual([]);
  });
});

describe.skipIf(!hasOpenssl)('with authorities of the operator', () => {
  const authority = hasOpenssl ? useAuthority() : ({} as Authority);
  const certificate = hasOpenssl ? authority.issue('DNS:localhost,DNS:login.example') : ({} as Certificate);
  const authorities = hasOpenssl ? [readFileSync(authority.path, 'utf8')] : [];
  const database = useTestDatabase();

  /** Passes requests on to the issuer. Returns its port. */
  async function startTls(issuer: LoopbackIssuer): Promise<number> {
    const server = createServer(certificate, ({ url = '' }, response) => {
      request(`${issuer.url}${url}`, (answer) => answer.pipe(response.writeHead(answer.statusCode!))).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  test('a certificate of such an authority is trusted, and no other is', async () => {
    const issuer = await startIssuer();
    const issuerUrl = `https://localhost:${await startTls(issuer)}`;
    issuer.metadata = { issuer: issuerUrl, jwks_uri: `${issuerUrl}/keys` };
    expect(await reach({ issuerUrl, authorities })).toMatchObject({ kind: 'issuer.keysLoaded' });
    expect(await reach({ issuerUrl })).toMatchObject({
      kind: 'issuer.unreachable',
      reason: expect.stringMatching(/cannot be reached: .*certificate/),
    });
  });

  test('the whole service uses both settings', async () => {
    const issuer = await startIssuer('https://login.example');
    const proxy = await startProxy({ ports: { 'login.example:443': await startTls(issuer) } });
    const observations: Observation[] = [];
    const { settings } = loadSettings({
      FLAGHOIST_PORT: '0',
      DATABASE_URL: database.url,
      FLAGHOIST_REFERENCE_DATA: 'skip',
      FLAGHOIST_ENCRYPTION_KEY: administratorSettings.FLAGHOIST_ENCRYPTION_KEY,
      FLAGHOIST_ISSUER_URL: 'https://login.example',
      FLAGHOIST_BOOTSTRAP_CLIENT_ID: 'fleet-administrator',
      FLAGHOIST_EGRESS_PROXY: `http://127.0.0.1:${proxy.port}`,
      FLAGHOIST_CA_FILE: authority.path,
    });
    const service = await startService(settings, (observation) => observations.push(observation));
    await service.stop();
    expect(observations).toContainEqual({ kind: 'issuer.keysLoaded', issuer: 'https://login.example', keys: 1 });
    expect(new Set(proxy.asked)).toEqual(new Set(['login.example:443']));
  });
});
