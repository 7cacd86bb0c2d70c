// Which addresses notifications may go to: public ones, and those that are allowed.

import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { literalAddresses } from '../../src/channels/guard/literal-host.ts';

const policy = createAddressPolicy([]);

/** The first and the last address of each, and their public neighbours. */
const ranges: [first: string, last: string, before: string | undefined, after: string | undefined][] = [
  ['0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', undefined],
  ['::', '1fff:ffff:ffff:ffff:ffff:fffe:ffff:ffff', undefined, undefined],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffd::', '3fff:1000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', undefined],
];

test.each(ranges)('%s to %s is refused, and its neighbours are not', (first, last, before, after) => {
  expect([first, last].filter((address) => policy.isAllowed(address))).toEqual([]);
  for (const neighbour of [before, after]) if (neighbour) expect(policy.isAllowed(neighbour), neighbour).toBe(true);
});

test.each([
  '::7f00:1',
  '::ffff:0:7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::a00:1',
  '2606:4700:4700::5efe:7f00:1',
  '2606:4700:4700:0:200:5efe:a00:1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fd00:ec2::254',
  'ff02::1',
  '5f00::1',
  '100.100.100.200',
  '192.0.0.192',
])('TRAP-8: %s is refused', (address) => {
  expect(policy.isAllowed(address)).toBe(false);
});

test.each(['8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2620:fe::fe'])('%s is public', (address) => {
  expect(policy.isAllowed(address)).toBe(true);
});

test.each([
  '',
  'localhost',
  '127.1',
  '0x7f000001',
  '8.8.8.8.',
  ' 8.8.8.8',
  '8.8.8.8/32',
  '[2620:fe::fe]',
  'example.com',
])('what is no address is refused: %j', (text) => {
  expect(createAddressPolicy(['0.0.0.0/0', '::/0']).isAllowed(text)).toBe(false);
});

describe('an IPv4 address mapped into IPv6 is judged as what it is', () => {
  test.each(['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:10.0.0.1', '::FFFF:a9fe:a9fe'])('%s', (address) => {
    expect(policy.isAllowed(address)).toBe(false);
    expect(createAddressPolicy(['127.0.0.0/8', '10.0.0.0/8', '169.254.0.0/16']).isAllowed(address)).toBe(true);
  });

  test('a public one is public, and a mapped range is a range', () => {
    expect(policy.isAllowed('::ffff:8.8.8.8')).toBe(true);
    expect(createAddressPolicy(['::ffff:10.0.0.0/104']).isAllowed('10.1.2.3')).toBe(true);
    expect(createAddressPolicy(['::ffff:10.0.0.0/104']).isAllowed('11.1.2.3')).toBe(true);
    expect(createAddressPolicy(['::ffff:10.0.0.0/104']).isAllowed('127.0.0.1')).toBe(false);
  });
});

test('SSD-16: what is allowed is allowed to the bit, and changes nothing else', () => {
  const one = createAddressPolicy(['192.168.0.120/32', '10.20.48.0/20', 'fd00:1234::/33']);
  const allowed = ['192.168.0.120', '10.20.48.0', '10.20.63.255', 'fd00:1234::1', 'fd00:1234:7fff::1', '8.8.8.8'];
  const forbidden = ['192.168.0.121', '192.168.0.119', '10.20.47.255', '10.20.64.0', 'fd00:1234:8000::1', '127.0.0.1'];
  expect([...allowed, ...forbidden].filter((address) => one.isAllowed(address))).toEqual(allowed);
  expect([...allowed, ...forbidden].filter((address) => one.isListed(address))).toEqual(allowed.slice(0, -1));
});

test('localhost and all names under it are the loopback addresses', () => {
  for (const name of ['localhost', 'LocalHost', 'localhost.', 'a.localhost', 'a.b.localhost.'])
    expect(literalAddresses(name), name).toEqual(['127.0.0.1', '::1']);
  for (const name of ['notlocalhost', 'localhost.example', 'example.com'])
    expect(literalAddresses(name)).toBeUndefined();
  expect(literalAddresses('[2620:fe::fe]')).toEqual(['2620:fe::fe']);
});
