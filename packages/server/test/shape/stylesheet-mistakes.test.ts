// Stylesheets that are rejected when a subscription is saved: invalid ones, and those that access anything but the
// object.

import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startHooks } from '../deliver/hooks.ts';
import { mistakesOf } from '../subscriptions/subscribe.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import type { Answer } from '../support/test-service.ts';
import { useTestService } from '../support/test-service.ts';
import { stylesheet } from './shaped.ts';

const service = useTestService();
const subscriptions = '/ws/rest/WebhookSubscription';
const good = stylesheet('<xsl:template match="/"><a/></xsl:template>');
const namespace = 'http://www.w3.org/1999/XSL/Transform';

function post(xsl: unknown, headers?: Record<string, string>): Promise<Answer> {
  return service.post(subscriptions, { eventType: 'Vessel.U', url: 'http://127.0.0.1:9/', xsl }, headers);
}

const inBase64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');
const template = (content: string) => stylesheet(`<xsl:template match="/">${content}</xsl:template>`);
const select = (path: string) => template(`<xsl:copy-of select="${path}"/>`);

describe('XSL-02: an invalid stylesheet', () => {
  test.each([
    ['not Base64', '<xsl:stylesheet/>'],
    ['Base64 of gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]).toString('base64')],
    ['Base64 for URLs', inBase64('<a>???>>></a>').replaceAll('+', '-').replaceAll('/', '_')],
    ['empty', ''],
    ['spaces', inBase64('  \n ')],
    ['UTF-16', inBase64('<a/>', 'utf16le')],
    ['UTF-16 with a mark', inBase64('\uFEFF<a/>', 'utf16le')],
    ['another encoding', inBase64(`<?xml version="1.0" encoding="latin1"?>${atob(good)}`)],
    ['larger than 256 kB', stylesheet(`<!--${'x'.repeat(260_000)}-->`)],
    ['no XML', inBase64('return true;')],
    ['XML that breaks off', inBase64(`<xsl:stylesheet version="1.0" xmlns:xsl="${namespace}"><xsl:template`)],
    ['another document', inBase64('<html/>')],
    ['an unknown element', stylesheet('<xsl:templat match="/"/>')],
    ['a bad path', select('a[')],
    ['an unknown function', select('nothing()')],
    ['XSLT 2.0', template('<xsl:for-each-group select="*" group-by="a"/>')],
  ])('%s', async (_, xsl) => {
    const mistakes = mistakesOf(await post(xsl));
    expect(mistakes).toEqual([expect.stringMatching(/^xsl: \S/)]);
  });

  test('5 MB is more than a request may contain', async () => {
    expectErrorBody(await post('A'.repeat(5_000_000)), 413);
  });

  test('a mistake is reported with its line', async () => {
    const xsl = inBase64(
      `<xsl:stylesheet version="1.0" xmlns:xsl="${namespace}">\n<xsl:template ` +
        `match="/">\n<a>\n</xsl:template></xsl:stylesheet>`,
    );
    expect(mistakesOf(await post(xsl))).toEqual([expect.stringMatching(/^xsl: Line 4: /)]);
  });

  test('line breaks in the Base64 and a UTF-8 byte order mark are accepted', async () => {
    const lines = good.match(/.{1,76}/g)!.join('\r\n');
    expect((await post(lines)).status).toBe(201);
    expect((await post(inBase64(`\uFEFF${atob(good)}`))).status).toBe(201);
  });

  test.each([[1], [{}], [['a']]])('%j is no text', async (xsl) => {
    expectErrorBody(await post(xsl), 400);
  });

  test('in an array, each mistake has the path of its element', async () => {
    const one = { eventType: 'Vessel.U', url: 'http://127.0.0.1:9/' };
    const answer = await service.post(subscriptions, [one, { ...one, xsl: good }, { ...one, xsl: 'x' }]);
    expect(mistakesOf(answer)).toEqual([expect.stringMatching(/^\[2\]\.xsl: /)]);
  });
});

describe('access to anything but the object', () => {
  const wrap = (prolog: string) => inBase64(`${prolog}${atob(good)}`);
  const extension = (attributes: string, content: string) =>
    inBase64(`<xsl:stylesheet version="1.0" xmlns:xsl="${namespace}" ${attributes}>${content}</xsl:stylesheet>`);

  test.each([
    ['XSL-04 a DOCTYPE', () => wrap('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>')],
    ['XSL-04 an empty DOCTYPE', () => wrap('<!DOCTYPE x>')],
    ['XSL-05 an external DTD', (url: string) => wrap(`<!DOCTYPE x SYSTEM "${url}/x.dtd">`)],
    ['XSL-05 a parameter entity', (url: string) => wrap(`<!DOCTYPE x [<!ENTITY % p SYSTEM "${url}/p"> %p;]>`)],
    ['XSL-05 xml-stylesheet', (url: string) => wrap(`<?xml-stylesheet href="${url}/x.xsl" type="text/xsl"?>`)],
    [
      'XSL-05 XInclude',
      (url: string) =>
        extension(
          'xmlns:xi="http://www.w3.org/2001/XInclude"',
          `<xsl:template match="/"><xi:include href="${url}/x"/></xsl:template>`,
        ),
    ],
    ['XSL-05 xml:base', (url: string) => extension(`xml:base="${url}/"`, '<xsl:template match="/"/>')],
    ['XSL-05 include', (url: string) => stylesheet(`<xsl:include href="${url}/x.xsl"/>`)],
    ['XSL-05 import', (url: string) => stylesheet(`<xsl:import href="${url}/x.xsl"/>`)],
    ['XSL-07 a file', () => select("document('file:///etc/passwd')")],
    ['XSL-07 a path', () => select("document('/etc/passwd')")],
    ['XSL-07 itself', () => select("document('')")],
    ['XSL-07 doc()', () => select("doc('/etc/passwd')")],
    ['XSL-07 unparsed-text()', () => select("unparsed-text('/etc/passwd')")],
    ['XSL-07 collection()', () => select('collection()')],
    ['XSL-08 over HTTP', (url: string) => select(`document('${url}/x')`)],
    ['XSL-08 made up on the way', (url: string) => select(`document(concat('${url}', '/x'))`)],
    [
      'XSL-10 exsl:document',
      () =>
        extension(
          'xmlns:exsl="http://exslt.org/common" extension-element-prefixes="exsl"',
          '<xsl:template match="/"><exsl:document href="/tmp/flaghoist-pwned"><a/></exsl:document></xsl:template>',
        ),
    ],
    [
      'XSL-10 result-document',
      () => template('<xsl:result-document href="/tmp/flaghoist-pwned"><a/></xsl:result-document>'),
    ],
    [
      'XSL-10 saxon:output',
      () =>
        extension(
          'xmlns:saxon="http://icl.com/saxon" extension-element-prefixes="saxon"',
          '<xsl:template match="/"><saxon:output file="/tmp/flaghoist-pwned"><a/></saxon:output></xsl:template>',
        ),
    ],
    [
      'XSL-10 redirect:write',
      () =>
        extension(
          'xmlns:redirect="http://xml.apache.org/xalan/redirect" extension-element-prefixes="redirect"',
          '<xsl:template match="/"><redirect:write file="/tmp/flaghoist-pwned"><a/></redirect:write></xsl:template>',
        ),
    ],
    [
      'XSL-11 php:function',
      () =>
        extension(
          'xmlns:php="http://php.net/xsl"',
          `<xsl:template match="/"><xsl:value-of select="php:function('system', 'id')"/></xsl:template>`,
        ),
    ],
    [
      'XSL-11 java',
      () =>
        extension(
          'xmlns:rt="http://xml.apache.org/xalan/java/java.lang.Runtime"',
          '<xsl:template match="/"><xsl:value-of select="rt:getRuntime()"/></xsl:template>',
        ),
    ],
    [
      'XSL-11 msxsl:script',
      () =>
        extension(
          'xmlns:msxsl="urn:schemas-microsoft-com:xslt"',
          '<msxsl:script language="JScript">1</msxsl:script><xsl:template match="/"/>',
        ),
    ],
    [
      'XSL-11 ixsl',
      () =>
        extension(
          'xmlns:ixsl="http://saxonica.com/ns/interactiveXSLT"',
          `<xsl:template match="/"><xsl:value-of select="ixsl:eval('1')"/></xsl:template>`,
        ),
    ],
  ])('%s is refused', async (_, make) => {
    const canary = await startHooks();
    const mistakes = mistakesOf(await post(make(canary.url)));
    expect(mistakes).toEqual([expect.stringMatching(/^xsl: \S/)]);
    expect(mistakes[0]).not.toContain('root:');
    expect(canary.received).toEqual([]);
    expect(existsSync('/tmp/flaghoist-pwned')).toBe(false);
  });
});

describe('XSL-20: the edition', () => {
  test('another edition is rejected with the reason', async () => {
    const { headers } = await createClient(service, ['write', 'webhook'], { edition: 'STANDARD' });
    const { message } = expectErrorBody(await post(good, headers), 403);
    expect(message).toMatch(/ENTERPRISE/);
    expect((await post(null, headers)).status).toBe(201);
  });

  test('ENTERPRISE is accepted', async () => {
    const { headers } = await createClient(service, ['write', 'webhook'], { edition: 'ENTERPRISE' });
    expect((await post(good, headers)).status).toBe(201);
  });
});

test('a stylesheet is stored unchanged', async () => {
  const { body } = await post(good);
  const path = `${subscriptions}/${body.key}`;
  expect((await service.put(path, { xsl: good, useMsg: false })).status).toBe(200);
  expect(mistakesOf(await service.put(path, { xsl: null }))).toHaveLength(1);
  expect((await service.get(path)).body.xsl).toBe(good);
});
