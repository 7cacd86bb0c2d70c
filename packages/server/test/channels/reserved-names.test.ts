// Names that are never public and ports that browsers block: refused when a URL is saved, however they are spelled,
// unless every address of the host is an allowed target.

import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { checkHost } from '../../src/channels/guard/check-target.ts';
import { HostResolver } from '../../src/channels/guard/host-resolver.ts';
import { checkUrl } from '../../src/channels/http/check-url.ts';
import { useNameServer } from './name-server.ts';

const nameServer = useNameServer();

/** What is told at save, where these targets are allowed and every name has this address, or none. */
async function mistakeOf(url: string, { targets = [] as string[], address = '' } = {}): Promise<string | undefined> {
  nameServer.reply = ({ type }) => {
    if (address === '') return 'NXDOMAIN';
    return { addresses: type === 'A' ? [address] : [] };
  };
  const resolver = new HostResolver({ dnsServers: [nameServer.address], hostsFile: '/nonexistent' });
  const policy = createAddressPolicy(targets);
  return checkUrl(url, policy, 'test') ?? (await checkHost(url, { policy, resolver }));
}

const publicAddress = '93.184.215.14';

const reserved = [
  ...['agent.test', 'agent.invalid', 'agent.local', 'svc.cluster.local', 'agent.onion', 'agent.alt', 'agent.lan'],
  ...['router.home.arpa', '1.0.0.10.in-addr.arpa', 'metadata.google.internal', 'host.docker.internal'],
  ...['agent.corp', 'agent.home', 'agent.intranet', 'agent.private', 'agent.localdomain', 'kubernetes.default.svc'],
  ...['metadata.goog', 'metadata.tencentyun.com', 'metadata.platformequinix.com', 'metadata.packet.net'],
  ...['metadata', 'intranet', 'ip6-loopback', 'instance-data'],
  ...['AGENT.Internal', 'agent.internal.', 'METADATA.', 'ａgent.internal', 'agent.ⓘnternal', 'agent。internal'],
];

/** c-ares answers itself that they do not exist (RFC 7686 §2). */
const neverResolved = ['agent.onion'];

describe.each(reserved)('%s', (host) => {
  test('is refused, whether it has a public address or none', async () => {
    const refusal = expect.stringMatching(/never public\. The operator .* FLAGHOIST_ALLOWED_TARGETS\.$/);
    expect(await mistakeOf(`https://${host}/hook`)).toEqual(refusal);
    expect(await mistakeOf(`https://${host}:8443/hook`, { address: publicAddress })).toEqual(refusal);
  });

  test.skipIf(neverResolved.includes(host))('is taken where its address is an allowed target', async () => {
    expect(await mistakeOf(`https://${host}/`, { address: '10.0.0.5', targets: ['10.0.0.0/8'] })).toBeUndefined();
    expect(await mistakeOf(`https://${host}/`, { address: '11.0.0.5', targets: ['10.0.0.0/8'] })).toBeDefined();
  });
});

test.each([
  ...['agent.example', 'agent.example.com', 'internal.agent.example', 'local.agent.example', 'mylocal.agent.example'],
  ...['agent.mylocal', 'agent.testing', 'svc.agent.example', 'metadata.agent.example', 'goog.agent.example'],
])('%s, which is not reserved, is taken', async (host) => {
  expect(await mistakeOf(`https://${host}/`)).toBeUndefined();
  expect(await mistakeOf(`https://${host}./`, { address: publicAddress })).toBeUndefined();
});

describe.each(['localhost', 'LOCALHOST.', 'ｌocalhost', 'agent.localhost', 'agent.localhost.'])('%s', (host) => {
  test('is taken where both loopback addresses are allowed, and nowhere else', async () => {
    const targets = ['127.0.0.0/8', '::1/128'];
    expect(await mistakeOf(`http://${host}:9000/`, { targets })).toBeUndefined();
    expect(await mistakeOf(`http://${host}:9000/`)).toContain('FLAGHOIST_ALLOWED_TARGETS');
  });
});

describe('a port that browsers block', () => {
  const refusal = (port: number) =>
    expect.stringContaining(`cannot be sent to: port ${port} is one that browsers block.`);

  test.each([1, 21, 22, 23, 25, 53, 110, 143, 389, 465, 587, 993, 2049, 5060, 6000, 6667, 10080])(
    '%i is refused with a name and with an address',
    async (port) => {
      for (const host of ['agent.example', '8.8.8.8', '[2606:4700:4700::1111]'])
        expect(await mistakeOf(`http://${host}:${port}/`, { address: publicAddress })).toEqual(refusal(port));
      expect(await mistakeOf(`http://agent.example:${port}/`)).toEqual(refusal(port));
    },
  );

  test('is taken where the address is an allowed target', async () => {
    const targets = ['127.0.0.0/8', '::1/128', publicAddress];
    for (const host of ['127.0.0.1', '[::1]', 'localhost', publicAddress, 'agent.example'])
      expect(await mistakeOf(`http://${host}:6667/`, { targets, address: publicAddress })).toBeUndefined();
  });

  test.each(['', ':80', ':443', ':8080', ':8443', ':9000', ':6001', ':65535'])('"%s" is taken', async (port) => {
    expect(await mistakeOf(`http://agent.example${port}/`, { address: publicAddress })).toBeUndefined();
  });

  test('is one that fetch of this Node refuses too', async () => {
    const blocked: number[] = [];
    for (let port = 1; port <= 11_000; port++)
      if (checkUrl(`http://8.8.8.8:${port}/`, createAddressPolicy([]), 'test')) blocked.push(port);
    const reasons = blocked.map((port) => fetch(`http://127.0.0.1:${port}/`).catch((error) => error.cause?.message));
    expect([...new Set(await Promise.all(reasons))]).toEqual(['bad port']);
    expect(blocked).toHaveLength(82);
  });
});
