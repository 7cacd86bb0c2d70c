// FLAGHOIST_DNS_SERVERS: what is taken can be asked, and a mistake in it is told before anything starts.

import { Resolver } from 'node:dns';
import { expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';

const serversOf = (FLAGHOIST_DNS_SERVERS: string) => loadSettings({ FLAGHOIST_DNS_SERVERS }).settings.dnsServers;

test('addresses are taken with a port or without', () => {
  const servers = ['10.0.0.2', '10.0.0.2:5353', 'fd00::2', '[fd00::2]:5353', '10.0.0.2:65535'];
  expect(serversOf(servers.join(', '))).toEqual(servers);
  new Resolver().setServers(servers);
});

test('not set, or empty, they are those of the machine', () => {
  expect(loadSettings({}).settings.dnsServers).toBeUndefined();
  expect(serversOf('')).toBeUndefined();
});

test.each([
  'dns.example',
  '10.0.0.2:0',
  '10.0.0.2:65536',
  '10.0.0.2:',
  '10.0.0',
  '[10.0.0.2]:53',
  '[fd00::2',
  ',',
  '10.0.0.2 10.0.0.3',
])('%j is refused', (text) => {
  expect(() => serversOf(text)).toThrow(
    /FLAGHOIST_DNS_SERVERS has ".*", which is not an address with or without a port/,
  );
});
