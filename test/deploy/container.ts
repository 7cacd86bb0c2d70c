// Runs a file tree as a container engine would: with a root of its own that is read-only, as a numeric user without any
// capability, and as process 1. The programs of the base image are those of this machine.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Undefined if this machine permits it. */
export function whyNoContainer(): string | undefined {
  if (process.platform !== 'linux' || process.getuid!() !== 0) return 'needs root on Linux';
  const { status, stderr } = spawnSync('unshare', [...namespaces, 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return status === 0 ? undefined : `needs unshare and mount: ${stderr}`;
}

const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
export const containerUser = 65532;

export interface ContainerOptions {
  /** An empty folder on this machine. */
  folder: string;
  /** From `build-tree.mjs`. */
  tree: string;
  /** Whether the root has the programs of Debian, or only the libraries that Node needs. */
  hasDebian: boolean;
  command: string[];
  environment: Record<string, string>;
}

export class Container {
  readonly #unshare: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  printed = '';

  constructor(options: ContainerOptions) {
    const script = join(options.folder, 'start.sh');
    writeFileSync(script, scriptOf(options));
    this.#unshare = spawn('unshare', [...namespaces, 'sh', '-eu', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.#unshare, 'exit');
    for (const output of [this.#unshare.stdout!, this.#unshare.stderr!])
      output.on('data', (chunk: Buffer) => {
        this.printed += chunk;
      });
  }

  /** A file of `/proc` about process 1 of the container. */
  processFile(name: string): string {
    return readFileSync(`/proc/${this.#first()}/${name}`, 'utf8');
  }

  /** Whether the container sees a file. */
  has(path: string): boolean {
    return existsSync(`/proc/${this.#first()}/root${path}`);
  }

  /** As an engine stops it. Returns the exit code. */
  async stop(): Promise<unknown> {
    process.kill(this.#first(), 'SIGTERM');
    return (await this.#ended)[0];
  }

  kill(): void {
    this.#unshare.kill('SIGKILL');
  }

  #first(): number {
    return Number(readFileSync(`/proc/${this.#unshare.pid}/task/${this.#unshare.pid}/children`, 'utf8').trim());
  }
}

const entries = {
  passwd: `root:x:0:0::/:/bin/sh\nflaghoist:x:${containerUser}:${containerUser}::/data:/bin/sh\n`,
  group: `root:x:0:\nflaghoist:x:${containerUser}:\n`,
  hosts: '127.0.0.1 localhost\n',
};

function scriptOf({ folder, tree, hasDebian, command, environment }: ContainerOptions): string {
  const root = join(folder, 'root');
  const data = join(folder, 'data');
  for (const path of [root, data, join(folder, 'etc')]) mkdirSync(path);
  chownSync(data, containerUser, containerUser);
  for (const [name, text] of Object.entries(entries)) writeFileSync(join(folder, 'etc', name), text);
  const bind = (from: string, to: string, how = 'ro') => [
    existsSync(from) && isFolder(from) ? `mkdir -p ${root}${to}` : `mkdir -p ${root}${dirname(to)}; touch ${root}${to}`,
    `mount --bind ${from} ${root}${to}`,
    ...(how === 'ro' ? [`mount -o remount,bind,ro ${root}${to}`] : []),
  ];
  const variables = Object.entries(environment).map(([name, value]) => quote(`${name}=${value}`));
  return [
    `mount -t tmpfs -o mode=755 none ${root}`,
    ...programs(hasDebian).flatMap(([from, to]) => bind(from, to)),
    ...bind(join(tree, 'app'), '/app'),
    ...bind(join(tree, 'usr/share/flaghoist'), '/usr/share/flaghoist'),
    ...bind(join(folder, 'etc'), '/etc'),
    ...['null', 'zero', 'random', 'urandom'].flatMap((name) => bind(`/dev/${name}`, `/dev/${name}`, 'rw')),
    ...(hasDebian ? ['bin', 'lib', 'lib64'].map((name) => `ln -s usr/${name} ${root}/${name}`) : []),
    ...['/tmp', '/dev/shm'].map((path) => `mkdir -p ${root}${path}; mount -t tmpfs -o mode=1777 none ${root}${path}`),
    `mkdir ${root}/proc; mount -t proc none ${root}/proc`,
    ...bind(data, '/data', 'rw'),
    `mount -o remount,ro ${root}`,
    `cd ${root}; exec env -i PATH=/usr/sbin:/usr/bin:/bin ${variables.join(' ')} setpriv --no-new-privs ` +
      `chroot --userspec=${containerUser}:${containerUser} --groups= ${root} ${command.map(quote).join(' ')}`,
  ].join('\n');
}

/** What the base image brings, as pairs of a path here and a path there. */
function programs(hasDebian: boolean): [string, string][] {
  const node = process.execPath;
  if (hasDebian)
    return [
      ...['/usr/bin', '/usr/lib', '/usr/lib64'].map((path): [string, string] => [path, path]),
      [node, '/usr/local/bin/node'],
    ];
  const libraries = execFileSync('ldd', [node], { encoding: 'utf8' }).matchAll(/(?<=\s)\/\S+/g);
  return [[node, '/nodejs/bin/node'], ...[...libraries].map(([path]): [string, string] => [path, path])];
}

function isFolder(path: string): boolean {
  return spawnSync('test', ['-d', path]).status === 0;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
