// Finds the program `nats-server`, or installs it with Go, once, into a cache of the project.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = 'v2.12.15';

/** Undefined if there is neither the program nor Go. */
export function findNatsServer(): string | undefined {
  const installed = ['nats-server', inGoFolder(), cached].find((path) => path !== undefined && isRunnable(path));
  return installed ?? install();
}

const cached = join(nodeModules(), '.cache', `nats-server-${version}`, 'nats-server');

function nodeModules(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'node_modules'))) folder = dirname(folder);
  return join(folder, 'node_modules');
}

function isRunnable(path: string): boolean {
  return spawnSync(path, ['--version']).status === 0;
}

function inGoFolder(): string | undefined {
  const { status, stdout } = spawnSync('go', ['env', 'GOPATH'], { encoding: 'utf8' });
  return status === 0 ? join(stdout.trim(), 'bin', 'nats-server') : undefined;
}

/** Moved into place as a whole, because several test files may install it at a time. */
function install(): string | undefined {
  if (spawnSync('go', ['version']).status !== 0) return undefined;
  const folder = dirname(cached);
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(join(folder, 'install-'));
  try {
    const env = { ...process.env, GOBIN: temporary };
    execFileSync('go', ['install', `github.com/nats-io/nats-server/v2@${version}`], { env, stdio: 'ignore' });
    renameSync(join(temporary, 'nats-server'), cached);
    return cached;
  } catch {
    return undefined;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
