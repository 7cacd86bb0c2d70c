// Bodies of `POST /oauth/token` that are not a token request: wrong types, broken JSON, odd bytes, too many bytes. Rows
// have their ids in the list of hostile inputs.

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { describeUnharmed } from '../hostile/unharmed.ts';
import { useTestService } from '../support/test-service.ts';
import {
  ask,
  askForm,
  askJson,
  expectRefused,
  expectToken,
  formOf,
  type Parameters,
  parametersOf,
} from './ask-token.ts';
import { labelled } from './labelled.ts';

const service = useTestService();

describe('bodies', () => {
  test.each([
    ['text/plain', formOf(parametersOf())],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="client_id"\r\n\r\na\r\n--x--\r\n',
    ],
    ['application/json; charset=utf-16', JSON.stringify(parametersOf())],
    ['application/x-www-form-urlencoded; charset=iso-8859-1', formOf(parametersOf())],
    ['application/xml', '<a/>'],
    ['application/jsonx', JSON.stringify(parametersOf())],
    ['application/json, text/plain', JSON.stringify(parametersOf())],
    [undefined, JSON.stringify(parametersOf())],
  ])('TOK-28 of the type %s are a 415', async (type, body) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    expectRefused(await ask(service.url(), body, headers), 415, 'invalid_request');
  });

  const badJson = [
    '',
    ' ',
    '[]',
    '"x"',
    'null',
    '1',
    'true',
    '{',
    `${JSON.stringify(parametersOf()).slice(0, -1)},}`,
    `\ufeff${JSON.stringify(parametersOf())}`,
    `${JSON.stringify(parametersOf())}{}`,
    JSON.stringify([parametersOf()]),
    formOf(parametersOf()),
    '['.repeat(10_000),
    `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    JSON.stringify(parametersOf({ deep: [[[[[[[[[[]]]]]]]]]] })),
    '{"client_id":"a","client_id":"b"}',
  ];
  test.each(labelled(badJson))('TOK-29 that are no good JSON are a 400: %s', async (_, body) => {
    expectRefused(await askJson(service.url(), body), 400, 'invalid_request');
  });

  test('TOK-29 empty, or with a BOM, as a form are a 400 too', async () => {
    expectRefused(await askForm(service.url(), ''), 400, 'invalid_request');
    expectRefused(await askForm(service.url(), `\ufeff${formOf(parametersOf())}`), 400, 'invalid_request');
    expectRefused(await askForm(service.url(), JSON.stringify(parametersOf())), 400, 'invalid_request');
  });

  test.each([
    ['an odd byte', Buffer.from([0x7b, 0xff, 0x7d])],
    ['half a character', Buffer.concat([Buffer.from('{"client_id":"'), Buffer.from([0xc3])])],
    ['an overlong slash', Buffer.from([0x63, 0x3d, 0xc0, 0xaf])],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ])('with %s are a 400: they are no UTF-8', async (_, bytes) => {
    expectRefused(await askJson(service.url(), bytes), 400, 'invalid_request');
    expectRefused(await askForm(service.url(), bytes), 400, 'invalid_request');
  });

  test('TOK-31 compressed are a 415, and are not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    for (const encoding of ['gzip', 'deflate', 'br', 'identity, gzip'])
      expectRefused(await askJson(service.url(), bomb, { 'content-encoding': encoding }), 415, 'invalid_request');
    const packed = gzipSync(JSON.stringify(parametersOf()));
    expectRefused(await askJson(service.url(), packed, { 'content-encoding': 'gzip' }), 415, 'invalid_request');
  });

  test.each(['__proto__', 'constructor', 'prototype'])('TOK-32 with the key %s are a 400', async (key) => {
    const body = `${JSON.stringify(parametersOf()).slice(0, -1)},"${key}":{"admin":true}}`;
    expectRefused(await askJson(service.url(), body), 400, 'invalid_request');
    expect('admin' in {}).toBe(false);
  });

  test('of 70 kB, and of 100,000 parameters, are a 413; as many as fit are read in no time', async () => {
    const large = JSON.stringify(parametersOf({ padding: 'x'.repeat(70_000) }));
    expectRefused(await askJson(service.url(), large), 413, 'invalid_request');
    expectRefused(await askForm(service.url(), 'a=1&'.repeat(100_000)), 413, 'invalid_request');
    const fitting = `${formOf(parametersOf())}&${'a&'.repeat(32_000)}`;
    expectToken(await askForm(service.url(), fitting));
    expectRefused(await askForm(service.url(), 'client_id=a&'.repeat(5_000)), 400, 'invalid_request');
    expectRefused(await askForm(service.url(), '%'.repeat(65_000)), 400, 'invalid_request');
  });
});

test.each<[string, Parameters]>([
  ['a parameter in UTF-8', { client_id: 'schlüssel' }],
  ['an emoji', { client_secret: '🚢'.repeat(50) }],
])('%s is a text like any other', async (_, change) => {
  expectRefused(await askJson(service.url(), parametersOf(change)), 401, 'invalid_client');
  expectRefused(await askForm(service.url(), parametersOf(change)), 401, 'invalid_client');
});

describeUnharmed(service);
