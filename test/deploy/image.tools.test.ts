// The file trees of both images run with a read-only root and without privileges: the service becomes ready, answers,
// delivers a notification, and stops in time.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useTestDatabase } from '../../packages/server/test/support/test-database.ts';
import { Container, containerUser, whyNoContainer } from './container.ts';
import { deployFolder, readDeployed } from './deploy-files.ts';
import { readDockerfile } from './read-dockerfile.ts';

const missing = whyNoContainer();
if (missing !== undefined) process.stdout.write(`SKIPPED: images: ${missing}\n`);

const database = useTestDatabase({ isMigrated: false });
const { environmentOf, commandOf } = readDockerfile();
const graceMs = 45_000;
const client = { id: 'first', secret: 'a-secret-of-at-least-32-characters' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flaghoist-image-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

/** What a container of each image is given. PostgreSQL is reached by TCP: its socket is outside of the root. */
const images = {
  'all-in-one': { hasDebian: true, given: () => ({}) },
  server: { hasDebian: false, given: () => ({ DATABASE_URL: withoutSocket(database.url) }) },
};

describe.skipIf(missing !== undefined).each(Object.keys(images) as (keyof typeof images)[])('the image %s', (image) => {
  const { hasDebian, given } = images[image];
  let tree: string;

  beforeAll(() => {
    tree = join(folder, `tree-${image}`);
    execFileSync(process.execPath, [join(deployFolder, 'image/build-tree.mjs'), image, tree], { stdio: 'pipe' });
  }, 600_000);

  test('lists what it consists of, and has no packages for development', () => {
    const { components } = JSON.parse(readFileSync(join(tree, 'usr/share/flaghoist/sbom.cdx.json'), 'utf8'));
    const names = (components as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'undici', 'server', 'console']));
    expect(names.filter((name) => ['typescript', 'vitest', 'vite', 'preact'].includes(name))).toEqual([]);
    expect(names.some((name) => name.startsWith('@embedded-postgres/'))).toBe(image === 'all-in-one');
  });

  test('becomes ready, delivers a notification, and stops in time', { timeout: 300_000 }, async () => {
    const port = await findFreePort();
    const container = new Container({
      folder: mkdtempSync(join(folder, 'container-')),
      tree,
      hasDebian,
      command: commandOf(image),
      environment: {
        ...environmentOf(image),
        FLAGHOIST_PORT: String(port),
        FLAGHOIST_ENCRYPTION_KEY: 'ab'.repeat(32),
        FLAGHOIST_BOOTSTRAP_CLIENT_ID: client.id,
        FLAGHOIST_BOOTSTRAP_CLIENT_SECRET: client.secret,
        ...given(),
      },
    });
    onTestFinished(() => container.kill());
    await vi.waitFor(() => checkHealth(tree, port, container), { timeout: 150_000, interval: 500 });
    expect(container.has('/bin/sh')).toBe(hasDebian);
    expectConfined(container);

    expect(await deliverOne(`http://127.0.0.1:${port}`)).toContain('Northern Light');

    const startedAt = performance.now();
    expect(await container.stop()).toBe(0);
    const stoppedMs = Math.round(performance.now() - startedAt);
    process.stdout.write(`${image} stopped within ${stoppedMs} ms\n`);
    expect(stoppedMs).toBeLessThan(graceMs);
    expect(container.printed).toContain('"service.stopped"');
  });
});

test('every place gives a container the same time to stop', () => {
  const seconds = [
    ...['all-in-one', 'cluster'].map((name) => /stop_grace_period: (\d+)s/.exec(readDeployed(`compose/${name}.yaml`))),
    /TimeoutStopSec=(\d+)/.exec(readDeployed('systemd/flaghoist.service')),
    /terminationGracePeriodSeconds: (\d+)/.exec(readDeployed('helm/flaghoist/values.yaml')),
  ].map((found) => Number(found![1]));
  expect(seconds.map((value) => value * 1000)).toEqual(seconds.map(() => graceMs));
});

/** By the program of the image. */
function checkHealth(tree: string, port: number, container: Container): void {
  const script = join(tree, 'usr/share/flaghoist/check-health.mjs');
  try {
    execFileSync(process.execPath, [script], { env: { FLAGHOIST_PORT: String(port) }, stdio: 'pipe' });
  } catch {
    throw new Error(`The service is not ready:\n${container.printed}`);
  }
}

function expectConfined(container: Container): void {
  const status = container.processFile('status');
  expect(status).toMatch(new RegExp(`^Uid:\\t${containerUser}\\t${containerUser}\\t`, 'm'));
  expect(status).toMatch(/^NSpid:\t\d+(\t\d+)*\t1$/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  const mounts = container.processFile('mountinfo').trim().split('\n');
  const writable = mounts
    .map((line) => line.split(' '))
    .flatMap(([, , , , at, how]) => (/^rw/.test(how!) ? [at!] : []));
  expect(writable.filter((path) => !/^\/(dev|proc)\b/.test(path)).sort()).toEqual(['/data', '/tmp']);
}

/** Returns the body that a receiver gets for one change. */
async function deliverOne(url: string): Promise<string> {
  const token = await requestToken(url);
  const post = (type: string, body: unknown) =>
    fetch(`${url}/ws/rest/${type}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    bodies.push(await read(request));
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void receiver.close());
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  expect((await post('WebhookSubscription', { eventType: 'Vessel.C', url: `http://127.0.0.1:${port}/` })).status).toBe(
    201,
  );
  expect((await post('Vessel', { vesselName: 'Northern Light', imoNumber: '9074729' })).status).toBe(201);
  return vi.waitUntil(() => bodies[0], { timeout: 30_000, interval: 50 });
}

async function requestToken(url: string): Promise<string> {
  const grant = {
    grant_type: 'client_credentials',
    audience: 'https://flaghoist.dev',
    client_id: client.id,
    client_secret: client.secret,
  };
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(grant) });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function withoutSocket(url: string): string {
  return url.replace(/\?.*$/, '');
}
