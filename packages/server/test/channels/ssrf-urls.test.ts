// Every spelling of a forbidden URL that we know of: refused when it is saved, or at the latest when it is sent to,
// without one connection. Nothing is allowed here but what is public.

import { expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { checkHost } from '../../src/channels/guard/check-target.ts';
import { HostResolver } from '../../src/channels/guard/host-resolver.ts';
import { checkUrl } from '../../src/channels/http/check-url.ts';
import { parseUrl } from '../../src/parse-url.ts';
import { forbiddenAddresses } from './forbidden-names.ts';
import { type Reply, useNameServer } from './name-server.ts';
import { openChannel, startReceiver } from './receiver.ts';
import rows from './ssrf-urls.json' with { type: 'json' };

const blocked = rows.filter(({ expected }) => expected === 'BLOCK').map(({ id, input }) => ({ id, input }));
const allowed = rows.filter(({ expected }) => expected === 'ALLOW').map(({ id, input }) => ({ id, input }));

const addresses: Readonly<Record<string, string>> = {
  ...forbiddenAddresses,
  'example.com': '93.184.215.14',
  'xn--bcher-kva.example': '2606:4700:4700::1111',
};

const nameServer = useNameServer();
nameServer.reply = ({ name }): Reply => {
  const address = addresses[name];
  return address ? { addresses: [address] } : 'NXDOMAIN';
};

const policy = createAddressPolicy([]);
const parts = () => ({
  policy,
  resolver: new HostResolver({ dnsServers: [nameServer.address], hostsFile: '/nonexistent' }),
});

/** What is said to whoever saves it, with what the name servers add. */
async function mistakeAtSave(url: string, environment: 'production' | 'test'): Promise<string | undefined> {
  return checkUrl(url, policy, environment) ?? (await checkHost(url, parts()));
}

/** A name that does not exist may be saved: it may come up later. */
const unknownNames = ['SSRF-028'];

test.each(blocked.filter(({ id }) => !unknownNames.includes(id)))(
  '$id: $input is refused at save',
  async ({ input }) => {
    for (const environment of ['test', 'production'] as const)
      expect(await mistakeAtSave(input, environment)).toBeDefined();
  },
);

test.each(blocked.filter(({ id }) => unknownNames.includes(id)))(
  '$id: $input has no address, may be saved, and is not sent to',
  async ({ input }) => {
    expect(await mistakeAtSave(input, 'test')).toBeUndefined();
    const channel = openChannel({ allowedTargets: [], dnsServers: [nameServer.address], timeoutMs: 2_000 });
    expect(await channel.post(input)).toMatchObject({ kind: 'failed', statusCode: null });
  },
);

test('no blocked URL is sent to, even if it was never checked', async () => {
  // The names and addresses of the list, all of them, would lead here if they led anywhere on this machine.
  const canaries = await Promise.all(['127.0.0.1', '::1'].map((host) => startReceiver({ host })));
  const channel = openChannel({ allowedTargets: [], dnsServers: [nameServer.address], timeoutMs: 2_000 });
  for (const { id, input } of blocked.filter(({ input }) => !/@example\.com|example\.com[:%\\]/.test(input)))
    for (const { port } of canaries)
      for (const url of [input, withPort(input, port)])
        expect(await channel.post(url), `${id} ${url}`).toMatchObject({ kind: 'failed', statusCode: null });
  expect(canaries.map(({ accepted }) => accepted)).toEqual([0, 0]);
});

test.each(allowed)('$id: $input is taken', async ({ input }) => {
  expect(await mistakeAtSave(input, 'test')).toBeUndefined();
  const resolved = await parts().resolver.resolve(new URL(input).hostname);
  expect(resolved.kind === 'addresses' && resolved.addresses.every((address) => policy.isAllowed(address))).toBe(true);
});

test('a name is judged in the same way the ten thousandth time, when the engine has optimised what judges it', () => {
  const mistakes = Array.from({ length: 10_000 }, () => checkUrl('https://bücher.example/', policy, 'production'));
  expect([...new Set(mistakes)]).toEqual([undefined]);
});

function withPort(text: string, port: number): string {
  const url = parseUrl(text);
  if (!url) return text;
  url.port = String(port);
  return url.href;
}
