// A real NATS server with JetStream, as a process that can be killed and started again with what it has stored.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

export interface NatsNodeOptions {
  program: string;
  folder: string;
  name: string;
  port: number;
  /** Sections that are added to the configuration: `authorization { … }`. */
  more?: string;
  /** The ports of the routes between the nodes of a cluster, and that of this node. */
  routes?: { own: number; all: readonly number[] };
}

export class NatsNode {
  readonly port: number;
  readonly #options: NatsNodeOptions;
  #child: ChildProcess | undefined;

  constructor(options: NatsNodeOptions) {
    this.#options = options;
    this.port = options.port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const { program, folder, name } = this.#options;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}.conf`);
    writeFileSync(file, render(this.#options));
    const child = spawn(program, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      let printed = '';
      child.stderr!.on('data', (chunk: Buffer) => {
        if (printed.length < 100_000) printed += chunk;
        if (printed.includes('Server is ready')) resolve();
      });
      child.once('close', () => reject(new Error(`nats-server has ended:\n${printed}`)));
    });
  }

  /** SIGKILL, and waits for its end. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }
}

/** Started together: each waits for the others. */
export async function startCluster(program: string, folder: string, size: number): Promise<NatsNode[]> {
  const ports = await freePorts(2 * size);
  const all = ports.slice(size);
  const nodes = all.map((own, index) => {
    const name = `n${index + 1}`;
    return new NatsNode({ program, folder: join(folder, name), name, port: ports[index]!, routes: { own, all } });
  });
  await Promise.all(nodes.map((node) => node.start()));
  return nodes;
}

/** All different, because they are free at the same time. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function render({ folder, name, port, more = '', routes }: NatsNodeOptions): string {
  const cluster = routes
    ? `cluster { name: test, listen: "127.0.0.1:${routes.own}", routes: [${routes.all
        .map((each) => `"nats://127.0.0.1:${each}"`)
        .join(', ')}] }`
    : '';
  return `server_name: ${name}
listen: "127.0.0.1:${port}"
jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))}, max_mem: 256MB, max_file: 1GB }
${cluster}
${more}
`;
}
