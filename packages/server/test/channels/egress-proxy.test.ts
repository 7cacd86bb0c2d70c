// With an egress proxy, nothing leaves but by its tunnels: receivers over http and https, by name and by address.

import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { checkHost } from '../../src/channels/guard/check-target.ts';
import { HostResolver } from '../../src/channels/guard/host-resolver.ts';
import { parseProxyUrl } from '../../src/config/proxy-url.ts';
import { startProxy } from './connect-proxy.ts';
import { closedPort, failure, noAddress, openChannel, startReceiver } from './receiver.ts';
import rows from './ssrf-urls.json' with { type: 'json' };

const password = 'p@ss of the proxy';
const proxyAt = (port: number, login = '') => parseProxyUrl(`http://${login}127.0.0.1:${port}`);
const delivered = { kind: 'delivered', statusCode: 200, answer: 'ok' };

test('a name that only the proxy can resolve is reached through it, over a connection that is kept', async () => {
  const receiver = await startReceiver();
  const proxy = await startProxy({ ports: { 'agent.example:80': receiver.port } });
  const channel = openChannel({ proxy: proxyAt(proxy.port, `user:${encodeURIComponent(password)}@`) });
  for (let i = 0; i < 3; i++) expect(await channel.post('http://agent.example/hook')).toEqual(delivered);
  expect(proxy.asked).toEqual(['agent.example:80']);
  expect(proxy.credentials).toEqual([`Basic ${Buffer.from(`user:${password}`).toString('base64')}`]);
  expect([proxy.others, receiver.accepted]).toEqual([0, 1]);
  expect(receiver.requests[0]!.head).toContain('POST /hook HTTP/1.1\r\nhost: agent.example\r\n');
  expect(receiver.requests[0]!.head.toLowerCase()).not.toContain('proxy-');
});

test('an allowed address is reached through the proxy as well', async () => {
  const [receiver, proxy] = [await startReceiver(), await startProxy()];
  expect(await openChannel({ proxy: proxyAt(proxy.port) }).post(receiver.url)).toEqual(delivered);
  expect(proxy.asked).toEqual([`127.0.0.1:${receiver.port}`]);
  await openChannel({ proxy: proxyAt(proxy.port) }).post(`http://[::1]:${receiver.port}/`);
  expect(proxy.asked[1]).toBe(`[::1]:${receiver.port}`);
});

describe('the guard', () => {
  const proxied = { policy: createAddressPolicy([]), resolver: new HostResolver({ dnsServers: ['127.0.0.1:1'] }) };

  test('rejects literal addresses and reserved names before the proxy is asked', async () => {
    const proxy = await startProxy();
    const channel = openChannel({ allowedTargets: [], proxy: proxyAt(proxy.port) });
    const forbidden = ['127.0.0.1', '[::1]', '169.254.169.254', '0x7f000001', 'localhost', 'metadata', 'x.internal'];
    for (const host of forbidden) expect(await channel.post(`http://${host}/`)).toEqual(noAddress);
    expect(await channel.post('http://agent.example:25/')).toEqual(noAddress);
    expect(proxy.asked).toEqual([]);
  });

  test('no spelling of a forbidden address reaches the proxy', async () => {
    const proxy = await startProxy({ answer: 'HTTP/1.1 502 No\r\n\r\n' });
    const channel = openChannel({ allowedTargets: [], proxy: proxyAt(proxy.port) });
    for (const { input } of rows.filter(({ expected }) => expected === 'BLOCK'))
      expect((await channel.post(input)).kind).toBe('failed');
    // Names: what they resolve to is for the proxy to judge.
    const { isAllowed } = proxied.policy;
    const hosts = proxy.asked.map((authority) => authority.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
    expect(hosts.filter((host) => /^[\d.]+$|:/.test(host) && !isAllowed(host))).toEqual([]);
  });

  test('resolves no name when a subscription is saved', async () => {
    const parts = { ...proxied, proxy: proxyAt(1) };
    expect(await checkHost('https://agent.example/', parts)).toBeUndefined();
    expect(await checkHost('https://erp.internal/', parts)).toMatch(/^cannot be sent to: host names that end in/);
  });
});

test.each<[string, string, string]>([
  ['407', '407 Proxy Authentication Required', 'it answered 407: check user and password'],
  ['405', '405 Method Not Allowed', 'it answered 405'],
])('a proxy that answers %s is a fault on our side', async (_, status, why) => {
  const proxy = await startProxy({ answer: `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n` });
  const channel = openChannel({ proxy: proxyAt(proxy.port, `user:${encodeURIComponent(password)}@`) });
  const reason = `The proxy of FLAGHOIST_EGRESS_PROXY cannot be used: ${why}.`;
  expect(await channel.post('http://agent.example/')).toEqual({ kind: 'ownFault', reason });
});

test('a proxy that is down, hangs up or is none is a fault on our side', async () => {
  const down = openChannel({ proxy: proxyAt(await closedPort()) });
  const reason = 'The proxy of FLAGHOIST_EGRESS_PROXY cannot be used: ECONNREFUSED.';
  expect(await down.post('http://agent.example/')).toEqual({ kind: 'ownFault', reason });
  for (const answer of ['', 'SSH-2.0-OpenSSH\r\n', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`]) {
    const proxy = await startProxy({ answer });
    expect(await openChannel({ proxy: proxyAt(proxy.port) }).post('http://agent.example/')).toMatchObject({
      kind: 'ownFault',
    });
  }
});

test.each([
  ['403 Forbidden', 'it does not allow this host'],
  ['502 Bad Gateway', 'it answered 502'],
  ['503 Service Unavailable', 'it answered 503'],
  ['504 Gateway Timeout', 'it answered 504'],
])('a proxy that answers %s is a failure of the receiver', async (status, why) => {
  const proxy = await startProxy({ answer: `HTTP/1.1 ${status}\r\n\r\n<html>secrets of the network</html>` });
  expect(await openChannel({ proxy: proxyAt(proxy.port) }).post('http://agent.example/')).toEqual(
    failure(`The host cannot be reached through the proxy of this service: ${why}.`),
  );
});

test('a proxy that answers nothing at all is a fault on our side', async () => {
  const silent = await startReceiver({ onRequest: () => undefined });
  const channel = openChannel({ proxy: proxyAt(silent.port), timeoutMs: 500 });
  const reason = 'The proxy of FLAGHOIST_EGRESS_PROXY cannot be used: it does not answer.';
  const results = await Promise.all(['one', 'two', 'three'].map((name) => channel.post(`http://${name}.example/`)));
  for (const result of results) expect(result).toEqual({ kind: 'ownFault', reason });
});

test('a proxy that waits for one host, and answers for others, is a failure of that host', async () => {
  const proxy = await startProxy({ silentFor: ['slow.example:80'] });
  const channel = openChannel({ proxy: proxyAt(proxy.port), timeoutMs: 2_000 });
  const result = await channel.post('http://slow.example/');
  expect(result).toEqual(failure('No connection within 2 s.'));
  expect(proxy.asked).toEqual(['slow.example:80', 'flaghoist.invalid:443']);
});

test.each([
  'socks5://proxy.example:1080',
  'https://proxy.example',
  'proxy.example:3128',
  'http://',
  'http://proxy.example:0',
  'http://proxy.example/path',
  'http://a%zzsecret@proxy.example',
  'http://a%3Asecret:b@proxy.example',
  'http://secret@proxy.example/\r\nX: y',
])('%j is no proxy, and the message does not repeat it', (text) => {
  const parse = () => parseProxyUrl(text);
  expect(parse).toThrow();
  expect(parse).not.toThrow(/secret/);
});
