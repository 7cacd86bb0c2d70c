// Debian's nginx as a reverse proxy with its default settings, for tests.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { onTestFinished, vi } from 'vitest';

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** Returns its URL. It ends with the test. */
export async function startNginx(targetUrl: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-nginx-'));
  const port = await findFreePort();
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, targetUrl));
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf'], { stdio: 'ignore' });
  onTestFinished(() => end(child, folder));
  await vi.waitUntil(() => isListening(port), { timeout: 10_000, interval: 20 });
  return `http://127.0.0.1:${port}`;
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Only what it needs to run in the foreground in its own folder; nothing about buffers or time limits. */
const configuration = (folder: string, port: number, targetUrl: string) => `daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${targetUrl}; }
  }
}
`;

async function end(child: ChildProcess, folder: string): Promise<void> {
  const ended = once(child, 'exit');
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
