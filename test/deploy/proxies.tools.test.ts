// nginx and Caddy with the configurations of `deploy/`, in front of a server that shows what it gets: events are passed
// on at once, callers cannot forge their address, and nothing for operators is published.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, get as overHttp } from 'node:http';
import { get as overTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readDeployed } from './deploy-files.ts';
import { isInstalled } from './deploy-tools.ts';

const isEvents = (path: string) => /\/(live|stream)$/.test(path);

/** Shows the headers of a request; of a stream, it sends one event and leaves the response open. Returns the port. */
async function startUpstream(): Promise<number> {
  const server = createServer((request, response) => {
    if (!isEvents(request.url!)) return void response.end(JSON.stringify(request.headers));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return folder;
}

function start(program: string, args: string[], env: Record<string, string> = {}): void {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
}

async function startNginx(upstream: number): Promise<string> {
  const folder = newFolder();
  const [plain, tls] = [await findFreePort(), await findFreePort()];
  const names = ['-keyout', join(folder, 'flaghoist.key'), '-out', join(folder, 'flaghoist.crt')];
  const args = ['req', '-x509', '-subj', '/CN=localhost', '-newkey', 'rsa:2048', '-nodes', ...names];
  execFileSync('openssl', args, { stdio: 'pipe' });
  const site = readDeployed('nginx/flaghoist.conf')
    .replaceAll('/etc/nginx/tls', folder)
    .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${upstream};`)
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ', `listen 127.0.0.1:${tls} `);
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const main = `user root; daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; ${paths} include ${folder}/site.conf; }\n`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  start('nginx', ['-p', folder, '-c', 'nginx.conf']);
  return `https://127.0.0.1:${tls}`;
}

/** Without TLS: it would ask for a certificate. */
async function startCaddy(upstream: number): Promise<string> {
  const address = `http://127.0.0.1:${await findFreePort()}`;
  const config = newFolder();
  // Another Caddy may run on this machine.
  const text = readDeployed('caddy/Caddyfile').replace('{\n', '{\n\tadmin off\n');
  writeFileSync(join(config, 'Caddyfile'), text);
  start('caddy', ['run', '--adapter', 'caddyfile', '--config', join(config, 'Caddyfile')], {
    HOME: newFolder(),
    SITE_ADDRESS: address,
    UPSTREAM_PORT: String(upstream),
  });
  return address;
}

/** With a forged address. */
async function ask(url: string): Promise<IncomingMessage> {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const request = url.startsWith('https:')
    ? overTls(url, { headers, rejectUnauthorized: false, agent: false })
    : overHttp(url, { headers, agent: false });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

const proxies = { nginx: { start: startNginx, version: '-v' }, caddy: { start: startCaddy, version: 'version' } };

const names = Object.keys(proxies) as (keyof typeof proxies)[];
const installed = names.filter((name) => isInstalled(name, proxies[name].version));
for (const name of names)
  if (!installed.includes(name)) process.stdout.write(`SKIPPED: ${name} in front of the service: needs ${name}\n`);

test.each(installed)('%s passes on what it should', async (name) => {
  const url = await proxies[name].start(await startUpstream());
  const response = await vi.waitFor(() => ask(`${url}/ws/rest/Vessel`), { timeout: 20_000, interval: 100 });
  const headers = JSON.parse((await response.setEncoding('utf8').toArray()).join(''));
  expect(headers['x-forwarded-for']).toBe('127.0.0.1');
  expect(headers['x-forwarded-proto']).toBe(new URL(url).protocol.slice(0, -1));
  for (const path of ['/metrics', '/health', '/health/ready']) {
    const { statusCode } = await ask(url + path);
    expect(statusCode, path).toBe(404);
  }
  for (const path of ['/ws/rest/live', '/ws/rest/WebhookSubscription/1042/stream']) {
    const stream = await ask(url + path);
    // The response does not end, so this comes only if nothing is buffered.
    const [event] = await once(stream, 'data');
    expect(String(event)).toContain('data: one');
    stream.destroy();
  }
});
