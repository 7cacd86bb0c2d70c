// PgBouncer in session mode in front of two servers, of which it uses the primary. As with Patroni, its configuration
// is rewritten and reloaded after a failover.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';

export function hasPgbouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export class Pooler {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #child: ChildProcess;

  /** `serverUrl`: with user and password. */
  static async start(serverUrl: string): Promise<Pooler> {
    // Outside of the folders of the run, which only this user may enter.
    const folder = await mkdtemp(join(tmpdir(), 'flaghoist-pooler-'));
    const port = await findFreePort();
    const { username, password, port: serverPort } = new URL(serverUrl);
    await writeFile(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`);
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, configuration(folder, port, Number(serverPort)));
    for (const path of [folder, join(folder, 'users'), file]) await chmod(path, 0o755);
    const url = new URL(serverUrl);
    url.port = String(port);
    return new Pooler(folder, port, url.href);
  }

  private constructor(folder: string, port: number, url: string) {
    this.url = url;
    this.#folder = folder;
    this.#port = port;
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    this.#child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', cwd: '/', ...user });
    process.once('exit', () => this.#child.kill('SIGKILL'));
  }

  /** From now on, connections lead to the server at this port. */
  async pointTo(serverPort: number): Promise<void> {
    await writeFile(join(this.#folder, 'pgbouncer.ini'), configuration(this.#folder, this.#port, serverPort));
    this.#child.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await exited;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** `server_login_retry`: by default a pool does not connect for 15 s after a failure, even to another server. */
function configuration(folder: string, port: number, serverPort: number): string {
  return `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = session
default_pool_size = 100
server_login_retry = 0.2
`;
}
