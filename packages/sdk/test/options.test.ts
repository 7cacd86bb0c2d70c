// The options of a client are checked when it is created: all mistakes at once, each with what to do, and no secret.

import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createClient, FlaghoistError } from '../src/index.ts';

const url = 'http://127.0.0.1:8080';
const good = { url, clientId: 'someone', clientSecret: 'options-secret-1' };

/** The message of the error, if there is one. */
function mistakeIn(options: unknown): string | undefined {
  try {
    createClient(options as Parameters<typeof createClient>[0]);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(FlaghoistError);
    expect(error).toMatchObject({ code: 'invalidRequest', status: 0 });
    expect(inspect(error)).not.toContain('options-secret');
    return (error as Error).message;
  }
}

test.each([
  good,
  { url, token: 'options-secret-1' },
  { url: `${url}/base/`, token: async () => 'options-secret-1' },
  { ...good, token: undefined, apiVersion: '5.23', timeoutMs: 1, retries: 0, exactNumbers: true, audience: 'a' },
  { ...good, retries: Number.POSITIVE_INFINITY, fetch, scope: 'read write', userAgent: 'agent/1' },
])('a client is created with %o', (options) => {
  expect(mistakeIn(options)).toBeUndefined();
});

test.each([
  ['nothing at all', undefined, 'createClient: pass options, like `createClient({ url, clientId, clientSecret })`.'],
  [
    'no URL',
    { ...good, url: undefined },
    'createClient: `url` is missing. Use one like `https://flaghoist.example.com`.',
  ],
  [
    'no secret',
    { ...good, clientSecret: undefined },
    /^createClient: `clientSecret` is missing or empty\. Pass `clientId`/,
  ],
  ['an empty secret', { ...good, clientSecret: '' }, /`clientSecret` is missing or empty.*environment of the program/],
  ['nobody', { url }, /`clientId` and `clientSecret` are missing or empty/],
  ['no token', { url, token: undefined }, /`token` is missing or empty/],
  [
    'both',
    { ...good, token: 'options-secret-2' },
    'createClient: Pass either `token`, or `clientId` and `clientSecret`.',
  ],
  ['a line break', { ...good, clientSecret: 'options-secret-1\n' }, /`clientSecret` must be text without a line break/],
  ['a version as a number', { ...good, apiVersion: 5.23 }, "createClient: `apiVersion` must be text like '5.23'."],
  [
    'a time as text',
    { ...good, timeoutMs: '30' },
    'createClient: `timeoutMs` must be a number of milliseconds from 1.',
  ],
  ['negative retries', { ...good, retries: -1 }, 'createClient: `retries` must be a number from 0.'],
  ['scopes as a list', { ...good, scope: ['read'] }, /`scope` must be text, with spaces between scopes/],
])('%s', (_, options, message) => {
  const mistake = mistakeIn(options);
  if (typeof message === 'string') expect(mistake).toBe(message);
  else expect(mistake).toMatch(message);
});

test.each([
  ['clientID', 'clientId'],
  ['client_secret', 'clientSecret'],
  ['secret', 'clientSecret'],
  ['clientsecrt', 'clientSecret'],
  ['timeout', 'timeoutMs'],
  ['retires', 'retries'],
  ['baseUrl', 'url'],
  ['scopes', 'scope'],
  ['apiversion', 'apiVersion'],
])('%s is suggested to be %s', (name, option) => {
  expect(mistakeIn({ ...good, [name]: undefined })).toBe(
    `createClient: \`${name}\` is not an option. Did you mean \`${option}\`?`,
  );
});

test('an option like no other is an error that lists all', () => {
  expect(mistakeIn({ ...good, verbose: true })).toMatch(
    /^createClient: `verbose` is not an option\. Options are url, /,
  );
});

describe('several mistakes', () => {
  test('are reported at once', () => {
    const mistake = mistakeIn({ clientId: 'someone', clientSecert: 'options-secret-1', retries: '3' });
    for (const part of [
      '`url` is missing',
      '`clientSecret` is missing',
      'Did you mean `clientSecret`',
      '`retries` must',
    ])
      expect(mistake).toContain(part);
  });
});
