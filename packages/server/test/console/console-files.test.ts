// The page at /console and its assets over HTTP: what they may do, how long they are kept, and how large they are.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url()}${path}`, { headers, redirect: 'manual' });

const dist = new URL('../../../console/dist/', import.meta.url).pathname;

async function assetsOf(page: string): Promise<string[]> {
  const html = await (await get(page)).text();
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
}

describe('the page', () => {
  test.each([
    '/console',
    '/console/',
    '/console/subscriptions/5',
    '/console/objects/Voyage/5',
    '/console/notifications?status=FAILED',
  ])('is the same at %s, needs no token, and contains no data', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe(await (await get('/console')).text());
  });

  test('runs its own scripts alone, loads nothing from elsewhere, and cannot be framed', async () => {
    const { headers } = await get('/console');
    const policy = new Map(
      headers
        .get('content-security-policy')!
        .split('; ')
        .map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1).join(' ')]),
    );
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('style-src')).toBe("'self'");
    expect(policy.get('connect-src')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(policy.get('require-trusted-types-for')).toBe("'script'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|http/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex');
  });

  test('is asked for again each time, and not sent again if it is the same', async () => {
    const first = await get('/console');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await get('/console', { 'if-none-match': first.headers.get('etag')! });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('names its assets absolutely, because it is served at many addresses', async () => {
    const assets = await assetsOf('/console/objects/Voyage/5');
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect(path).toMatch(/^\/console\/assets\/[\w-]+\.(js|css|svg)$/);
  });
});

describe('an asset', () => {
  test('is kept for ever, because its name contains a hash of its content', async () => {
    for (const path of await assetsOf('/console')) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      await response.arrayBuffer();
    }
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['identity', null],
  ])('is sent as accepted: %s', async (accepted, expected) => {
    const script = (await assetsOf('/console')).find((path) => path.endsWith('.js'))!;
    const response = await get(script, { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(expected);
    expect(response.headers.get('vary')).toContain('accept-encoding');
    expect(await response.text()).toBe(readFileSync(join(dist, 'assets', script.split('/').pop()!), 'utf8'));
  });

  test.each(['nothing.js', '..%2Fmanifest.json', '%2e%2e%2findex.html', 'manifest.json', '__proto__'])(
    'that does not exist is a 404: %s',
    async (name) => {
      const response = await get(`/console/assets/${name}`);
      expect(response.status).toBe(404);
    },
  );
});

interface ManifestChunk {
  file: string;
  css?: string[];
  imports?: string[];
  isEntry?: boolean;
}

describe('the size', () => {
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, ManifestChunk>;
  const loadedWith = (name: string): Set<string> => {
    const files = new Set<string>();
    const add = (each: string) => {
      const chunk = manifest[each]!;
      if (files.has(chunk.file)) return;
      for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
      for (const next of chunk.imports ?? []) add(next);
    };
    add(name);
    return files;
  };
  const gzipped = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0);
  const entry = Object.keys(manifest).find((name) => manifest[name]!.isEntry)!;

  test('of the first load is at most 60 kB (gzip), every page included', () => {
    const first = loadedWith(entry);
    expect(gzipped(first)).toBeLessThanOrEqual(60_000);
    const pages = Object.keys(manifest).filter((name) => /\/pages\/.*-page\.tsx$/.test(name));
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages)
      expect(gzipped(new Set([...first, ...loadedWith(page)])), page).toBeLessThanOrEqual(60_000);
  });

  test('of any chunk that is loaded on demand, such as the editors, is at most 180 kB (gzip)', () => {
    expect(existsSync(join(dist, 'assets'))).toBe(true);
    for (const name of readdirSync(join(dist, 'assets')).filter((each) => each.endsWith('.gz')))
      expect(statSync(join(dist, 'assets', name)).size, name).toBeLessThanOrEqual(180_000);
  });
});

describe('behind a proxy that adds a path', () => {
  const mounted = useTestService({ FLAGHOIST_BASE_URL: 'https://ops.example/flaghoist' });

  test('the page names its assets and its own place with that path', async () => {
    const html = await (await fetch(`${mounted.url()}/console/subscriptions/5`)).text();
    expect(html).toContain('<meta name="flaghoist-path" content="/flaghoist"');
    expect(html).toMatch(/src="\/flaghoist\/console\/assets\/[\w-]+\.js"/);
  });
});
