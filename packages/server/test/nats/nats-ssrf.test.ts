// Every spelling of a forbidden address that we know of, as the address of a NATS server: refused when it is saved, and
// not connected to if it was never checked. Nothing is allowed here but what is public.

import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { checkHost } from '../../src/channels/guard/check-target.ts';
import { createGuardedConnector } from '../../src/channels/guard/guarded-connector.ts';
import { HostResolver } from '../../src/channels/guard/host-resolver.ts';
import { createTlsOpener } from '../../src/channels/guard/open-tls.ts';
import { connectNats } from '../../src/channels/nats/connect-nats.ts';
import { checkServers, parseServers, urlOf } from '../../src/channels/nats/nats-servers.ts';
import { forbiddenAddresses } from '../channels/forbidden-names.ts';
import { type Reply, useNameServer } from '../channels/name-server.ts';
import { startReceiver } from '../channels/receiver.ts';
import rows from '../channels/ssrf-urls.json' with { type: 'json' };

const nameServer = useNameServer();
nameServer.reply = ({ name }): Reply => {
  const address = forbiddenAddresses[name];
  return address ? { addresses: [address] } : 'NXDOMAIN';
};

const policy = createAddressPolicy([]);
const resolver = () => new HostResolver({ dnsServers: [nameServer.address], hostsFile: '/nonexistent' });

/** A name that does not exist may be saved: it may come up later. */
const unknownNames = ['SSRF-028'];

/** With the scheme of NATS: as it is written, and the host alone, which a NATS address may consist of. */
const spellings = rows
  .filter(({ expected }) => expected === 'BLOCK')
  .flatMap(({ id, input }) => {
    const host = /^https?:[/\\]*([^/?#\\]*)/i.exec(input)?.[1] ?? input;
    return ['nats', 'tls'].flatMap((scheme) => [
      { id, url: input.replace(/^https?:/i, `${scheme}:`) },
      // Of some, only what follows the host is wrong.
      ...(host === 'example.com' ? [] : [{ id, url: `${scheme}://${host}` }]),
    ]);
  });

async function mistakeAtSave(url: string): Promise<string | undefined> {
  const mistake = checkServers(url, policy, 'test');
  if (mistake !== undefined) return mistake;
  const checks = await Promise.all(
    (parseServers(url) ?? []).map((server) => checkHost(urlOf(server), { policy, resolver: resolver() })),
  );
  return checks.find((each) => each !== undefined);
}

describe('a spelling of a forbidden address', () => {
  test.each(spellings.filter(({ id }) => !unknownNames.includes(id)))(
    '$id: $url is refused at save',
    async ({ url }) => {
      expect(await mistakeAtSave(url)).toBeDefined();
      expect(await mistakeAtSave(`tls://8.8.8.8,${url}`)).toBeDefined();
    },
  );

  test('is not connected to, even if it was never checked', async () => {
    const canaries = await Promise.all(['127.0.0.1', '::1'].map((host) => startReceiver({ host })));
    const timeoutMs = 2_000;
    const connect = createGuardedConnector({ policy, resolver: resolver(), timeoutMs });
    const parts = { connect, openTls: createTlsOpener(undefined, []), timeoutMs };
    const nobody = { username: undefined, password: undefined, credentials: undefined, clientCertificate: undefined };
    let tried = 0;
    for (const { id, url } of spellings)
      for (const server of parseServers(url) ?? [])
        for (const { port } of canaries) {
          const attempt = connectNats([{ ...server, port: String(port) }], nobody, parts);
          await expect(attempt, `${id} ${url}`).rejects.toMatchObject({ message: 'no address' });
          tried += 1;
        }
    expect(tried).toBeGreaterThan(100);
    expect(canaries.map(({ accepted }) => accepted)).toEqual([0, 0]);
  });
});
