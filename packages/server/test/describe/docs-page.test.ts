// The docs page: it is complete, loads nothing from other hosts, escapes text of the model, and its examples work when
// they are pasted.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { signatureHeader } from '../../src/channels/http/sign.ts';
import { renderDocsPage } from '../../src/describe/docs-page/render-docs-page.ts';
import { describedErrors } from '../../src/describe/openapi/paths/error-responses.ts';
import { errorTable } from '../../src/errors.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { extendCatalogue } from '../../src/model/model-file/read-model-file.ts';
import { mustBeSent } from '../../src/model/must-be-sent.ts';
import { administrator } from '../support/access.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { descriptionOptions, withSettings } from './description-options.ts';
import { hostileModelFile } from './hostile-model-file.ts';

const hasCurl = existsSync('/usr/bin/curl');
const service = useTestService();
let page: Answer;

beforeAll(async () => {
  page = await service.get('/docs');
});

describe('GET /docs', () => {
  test('returns one page of less than 35 kB, compressed, that may load only its own files', async () => {
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    expect(page.headers.get('content-encoding')).toBe('gzip');
    expect(Number(page.headers.get('content-length'))).toBeLessThan(35_000);
    const plain = await service.get('/docs', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBe(null);
    expect(plain.text).toBe(page.text);
  });

  test('has every type with every attribute, required ones marked, and every error', () => {
    for (const type of buildModel(catalogue).types.values()) {
      const section = page.text.split(`<section class="type" id="type-${type.name}"`)[1]?.split('</section>')[0];
      for (const [name, details] of Object.entries(catalogue[type.name]!.attributes)) {
        const row = section?.split(`<tr><td><code>${name}</code>`)[1]?.split('</tr>')[0];
        expect(row !== undefined, `${type.name}.${name}`).toBe(!details.isHidden);
        const attribute = type.attributes.get(name);
        const isRequired = attribute !== undefined && mustBeSent(attribute) && type.access.write !== 'nobody';
        expect(row?.includes('>required<') ?? false, `${type.name}.${name}`).toBe(isRequired);
        if (details.kind === 'code') for (const value of details.values) expect(row).toContain(`<code>${value}</code>`);
      }
    }
    for (const code of describedErrors()) expect(page.text).toContain(`<strong>${errorTable[code].status}</strong>`);
  });

  test('links to no other host, and has no inline script or style', async () => {
    const addresses = [...page.text.matchAll(/\s(?:href|src|action|srcset|poster)="([^"]*)"/g)].map(
      (match) => match[1]!,
    );
    expect(addresses.length).toBeGreaterThan(50);
    for (const address of addresses) expect(address).toMatch(/^(#|docs\/|docs$|docs\?version=|openapi\.json$)/);
    expect(page.text).not.toMatch(/<script(?! src=)|<style|\sstyle=|\son\w+=/);
    const { text: style } = await service.get('/docs/style.css');
    expect(style).not.toMatch(/url\(|@import/);
  });

  test('lists the types for admins separately from business types', () => {
    const [business, administration] = page.text.split('<section class="types" id="administration">');
    const typesIn = (text = '') =>
      [...text.matchAll(/<section class="type" id="type-(\w+)"/g)].map((match) => match[1]);
    expect(typesIn(administration)).toEqual(['ApiUser', 'ApiClient', 'AuditLog']);
    expect(typesIn(business)).toContain('Voyage');
    expect(typesIn(business).length).toBe(buildModel(catalogue).types.size - 3);
  });

  test('shows the methods and actions of a type, and no write methods for a read-only type', () => {
    const section = (name: string) => page.text.split(`id="type-${name}"`)[1]?.split('</section>')[0] ?? '';
    expect(section('AuditLog')).not.toMatch(/class="method (post|put|delete)"/);
    expect(section('ApiClient')).toContain('<code>/ws/rest/ApiClient/{key}/rotateSecret</code>');
    expect(section('ApiClient')).toContain('<code>clientSecret</code>');
    expect(section('Voyage')).toContain('Scope: <code>read</code> to read, <code>write</code> to write.');
  });

  test('explains how to get a token before the first request, also from an external issuer', () => {
    expect(page.text.indexOf('<section id="token">')).toBeGreaterThan(0);
    expect(page.text.indexOf('<section id="token">')).toBeLessThan(page.text.indexOf('<section id="first-request">'));
    const external = withSettings({ FLAGHOIST_ISSUER_URL: 'https://issuer.example/' });
    const elsewhere = renderDocsPage(buildModel(catalogue), external);
    expect(elsewhere).toContain('<code>https://issuer.example/.well-known/openid-configuration</code>');
    expect(elsewhere).not.toContain('/oauth/token');
  });

  test('explains to receivers what they are sent, how to verify it, and what happens when they fail', () => {
    const section = (id: string) => page.text.split(`<section id="${id}">`)[1]?.split('</section>')[0] ?? '';
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'flaghoist-event', 'signingSecret'])
      expect(section('receive')).toContain(`<code>${name}</code>`);
    expect(section('receive')).toContain('by default up to 5, 60 s apart');
    expect(section('deliveries-fail')).toMatch(/failingSince[\s\S]*sendFailedNotifications[\s\S]*replaces/);
  });

  test('has a function that accepts correct signatures and rejects all others', async () => {
    const [, script] = /<code class="javascript">([\s\S]*?)<\/code>/.exec(page.text)!;
    const module = `data:text/javascript,${encodeURIComponent(`${readMarkup(script!)}\nexport { isOurs };`)}`;
    const { isOurs } = await import(/* @vite-ignore */ module);
    const [secret, other] = [randomBytes(32), randomBytes(32)];
    const sign = (key: Buffer, timestamp: number) => ({
      'webhook-id': '7-8',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader([other, key], '7-8', timestamp, '{}'),
    });
    const now = Math.floor(Date.now() / 1000);
    const verify = (headers: object, body = '{}') =>
      isOurs(`whsec_${secret.toString('base64')}`, headers, Buffer.from(body));
    expect(verify(sign(secret, now))).toBe(true);
    expect(verify(sign(secret, now), '{ }')).toBe(false);
    expect(verify(sign(other, now))).toBe(false);
    expect(verify(sign(secret, now - 400))).toBe(false);
  });

  test('has no broken links', async () => {
    const ids = new Set([...page.text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]));
    for (const [, target] of page.text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    for (const [path, type] of [
      ['/docs/style.css', 'text/css; charset=utf-8'],
      ['/docs/script.js', 'text/javascript; charset=utf-8'],
      ['/docs/icon.svg', 'image/svg+xml'],
      ['/openapi.json', 'application/json; charset=utf-8'],
    ] as const) {
      const { status, headers } = await service.get(path);
      expect([status, headers.get('content-type')]).toEqual([200, type]);
    }
  });

  test('is the target of a redirect from /', async () => {
    const answer = await fetch(`${service.url()}/`, { redirect: 'manual' });
    expect(answer.status).toBe(302);
    expect(new URL(answer.headers.get('location') ?? '', answer.url).pathname).toBe('/docs');
    expect((await service.get('/docs/')).text).toBe(page.text);
  });
});

describe('text of a model file', () => {
  const model = buildModel(extendCatalogue(hostileModelFile, 'model.json'));
  const hostile = renderDocsPage(model, descriptionOptions);

  test('is shown as written, and never executed', () => {
    expect(hostile.match(/<script/g)).toHaveLength(1);
    expect(hostile).not.toMatch(/<img|<b onclick/);
    expect(hostile).toContain('&lt;script&gt;window.hacked = true&lt;/script&gt;');
    expect(hostile).toContain('&lt;img src=x onerror="window.hacked = true"&gt;');
  });
});

describe('the examples of requests', () => {
  const commands = () =>
    [...page.text.matchAll(/<code class="shell">([\s\S]*?)<\/code>/g)].map((match) => readMarkup(match[1]!));
  const tokenCommand = () =>
    commands()[0]!
      .replace('YOUR-CLIENT-ID', administrator.clientId)
      .replace('YOUR-CLIENT-SECRET', administrator.clientSecret);

  beforeAll(async () => {
    for (const unLoCode of ['NLRTM', 'SGSIN']) await service.post('/ws/rest/Port', { unLoCode });
  });

  test('begin with one that gets a token, which all others use', async () => {
    const [, request, expression] = /^TOKEN=\$\((curl .*) \| sed -E 's\/(.*)\/\\1\/'\)$/s.exec(tokenCommand())!;
    const { method, url, headers, body } = readCommand(request!);
    const answer = await fetch(url, { method, headers, body });
    expect(answer.status).toBe(200);
    const [, token] = new RegExp(expression!).exec(await answer.text())!;
    expect((await service.get('/ws/rest/Port', { authorization: `Bearer ${token}` })).status).toBe(200);
    for (const command of commands().slice(1)) expect(command).toContain('-H "Authorization: Bearer $TOKEN"');
  });

  test('work when they are pasted', async () => {
    const { body: voyage } = await service.post('/ws/rest/Voyage', {});
    const examples = commands().slice(1).map(readCommand);
    expect(examples.length).toBeGreaterThan(8);
    for (const { method, url, headers, body } of examples) {
      // The page tells the reader to put a key of their own.
      const target = url.replace(/\/Voyage\/\d+$/, `/Voyage/${voyage.key}`);
      const Authorization = headers.Authorization!.replace('$TOKEN', service.token());
      const answer = await fetch(target, { method, headers: { ...headers, Authorization }, body });
      const success = target.endsWith('/sendFailedNotifications') ? 202 : method === 'POST' ? 201 : 200;
      const expected = headers['If-Match'] ? 412 : success;
      expect(answer.status, `${method} ${target}: ${await answer.text()}`).toBe(expected);
    }
  });

  test.skipIf(!hasCurl)('work in a real shell with a real curl', async () => {
    const [, list, create] = commands();
    const script = `${tokenCommand()}\n${list} | head -c 1\n${create} | head -c 1\n`;
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script]);
    expect(stdout).toBe('[{');
  });
});

interface Command {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Reads a `curl` command as a shell and curl would, as far as the page uses them. */
function readCommand(text: string): Command {
  const [program, ...words] = text
    .replaceAll('\\\n', ' ')
    .match(/(?:'[^']*'|"[^"]*"|\\'|[^\s'"])+/g)!
    .map((word) => word.replace(/^"(.*)"$/, '$1'))
    .map((word) => word.replaceAll("'\\''", '\u0000').replaceAll("'", '').replaceAll('\u0000', "'"));
  expect(program).toBe('curl');
  const command: Command = { method: 'GET', url: '', headers: {}, body: null };
  const query = new URLSearchParams();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === '-X') command.method = words[++at]!;
    else if (word === '-d') command.body = words[++at]!;
    else if (word === '-H') command.headers[words[++at]!.split(': ')[0]!] = words[at]!.split(': ').slice(1).join(': ');
    else if (word === '--data-urlencode')
      query.append(...(words[++at]!.split(/=(.*)/s).slice(0, 2) as [string, string]));
    else if (!word.startsWith('-s')) command.url = word;
  }
  if (query.size > 0) command.url += `?${query}`;
  return command;
}

function readMarkup(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
