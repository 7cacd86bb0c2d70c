// Where notifications may go in production: over https, or to allowed targets.

import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/channels/guard/address-policy.ts';
import { checkUrl } from '../../src/channels/http/check-url.ts';
import { addressChecksOf } from '../../src/channels/registry/channel-registry.ts';
import { allowedTargetsOf } from '../../src/config/allowed-targets-of.ts';
import { loadSettings } from '../../src/config/load-settings.ts';

const needsHttps = 'must be an https URL: this is a production environment.';
const notPublic =
  'cannot be sent to: its address is not a public one. The operator of this service can allow it with ' +
  'FLAGHOIST_ALLOWED_TARGETS.';
const checkInProduction = (url: string, ...allowedTargets: string[]) =>
  checkUrl(url, createAddressPolicy(allowedTargets), 'production');

describe('in production', () => {
  test.each(['http://receiver.example/', 'HTTP://receiver.example/', 'http://9.9.9.9/', 'http://[2620:fe::fe]/'])(
    '%s is refused',
    (url) => {
      expect(checkInProduction(url)).toBe(needsHttps);
    },
  );

  test.each([
    'https://receiver.example/',
    'https://9.9.9.9:8443/hooks?a=b',
    'https://receiver.example./',
    'HTTPS://Receiver.example',
  ])('%s is accepted', (url) => {
    expect(checkInProduction(url)).toBeUndefined();
  });

  test.each([
    ['http://10.1.2.3/', '10.0.0.0/8'],
    ['http://10.1.2.3:8080/', '10.1.2.3'],
    ['http://[fd00::1]/', 'fd00::/8'],
    ['http://[fd00:0::1]/', 'fd00::1'],
    // As the address that it is.
    ['http://0x0a.1.2.3/', '10.0.0.0/8'],
  ])('%s is accepted if %s is allowed', (url, range) => {
    expect(checkInProduction(url, range)).toBeUndefined();
    expect(checkInProduction(url, '192.0.2.0/24')).toBe(notPublic);
  });

  test('localhost is accepted if both of its addresses are allowed', () => {
    expect(checkInProduction('http://localhost:9000/', '127.0.0.0/8', '::1')).toBeUndefined();
    expect(checkInProduction('http://localhost:9000/', '127.0.0.0/8')).toBe(notPublic);
  });

  test('SSD-17: a name is never an allowed target: nothing is resolved', () => {
    expect(checkInProduction('http://internal.example/', '0.0.0.0/0', '::/0')).toBe(needsHttps);
  });

  test('e-mail needs no https', () => {
    const { settings } = loadSettings({ FLAGHOIST_ENVIRONMENT: 'production' });
    expect(addressChecksOf(settings).EMAIL.check('ops@agent.example')).toBeUndefined();
  });
});

describe.each(['production', 'test'] as const)('in %s', (environment) => {
  test.each([
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://receiver.localhost/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.5]/',
    'https://10.0.0.5/',
    'https://0x0a000005/',
    'https://169.254.169.254/latest/meta-data',
  ])('%s is rejected if nothing is allowed', (url) => {
    expect(checkUrl(url, createAddressPolicy([]), environment)).toBe(notPublic);
  });

  test('an allowed address is accepted, and its neighbour is not', () => {
    const policy = createAddressPolicy(['192.168.0.120/32']);
    expect(checkUrl('http://192.168.0.120/', policy, environment)).toBeUndefined();
    expect(checkUrl('http://192.168.0.121/', policy, environment)).toBe(notPublic);
  });
});

describe('FLAGHOIST_ALLOWED_TARGETS', () => {
  const targets = (environment: Record<string, string>) => allowedTargetsOf(loadSettings(environment).settings);

  test('not set: none in production, the loopback ranges in test', () => {
    expect(targets({ FLAGHOIST_ENVIRONMENT: 'production' })).toEqual([]);
    expect(targets({})).toEqual(['127.0.0.0/8', '::1/128']);
  });

  test('set and empty: none', () => {
    expect(targets({ FLAGHOIST_ALLOWED_TARGETS: '' })).toEqual([]);
  });

  test('set: only those', () => {
    for (const FLAGHOIST_ENVIRONMENT of ['production', 'test'])
      expect(targets({ FLAGHOIST_ENVIRONMENT, FLAGHOIST_ALLOWED_TARGETS: '10.0.0.0/8, ::1' })).toEqual([
        '10.0.0.0/8',
        '::1',
      ]);
  });

  test('an invalid range is reported', () => {
    expect(() => targets({ FLAGHOIST_ALLOWED_TARGETS: 'localhost' })).toThrow(
      /FLAGHOIST_ALLOWED_TARGETS has "localhost"/,
    );
  });

  test('empty is not set for every other setting', () => {
    expect(loadSettings({ FLAGHOIST_PORT: '' }).settings.port).toBe(8080);
  });
});
