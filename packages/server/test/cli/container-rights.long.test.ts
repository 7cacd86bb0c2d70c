// In a container root may run programs as another user, and may not look into them (no CAP_SYS_PTRACE).

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { administrator, administratorSettings } from '../support/access.ts';

const program = resolve(import.meta.dirname, '../../dist/main.js');
const inContainer = ['--bounding-set=-sys_ptrace', process.execPath, program];

test.skipIf(process.getuid?.() !== 0)(
  'a command reaches the embedded server of the service (needs root)',
  {
    timeout: 60_000,
  },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'flaghoist-test-'));
    const settings = { FLAGHOIST_PORT: '0', FLAGHOIST_DATA_DIR: dataDir, FLAGHOIST_REFERENCE_DATA: 'skip' };
    const env = { PATH: process.env.PATH, ...administratorSettings, ...settings };
    const service = spawn('setpriv', [...inContainer, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(service, 'close');
    onTestFinished(async () => {
      service.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    });
    let printed = '';
    service.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    await vi.waitUntil(() => printed.includes('service.started'), { timeout: 45_000 });
    const { stdout } = await promisify(execFile)('setpriv', [...inContainer, 'client', 'list'], { env });
    expect(stdout).toContain(administrator.clientId);
  },
);
