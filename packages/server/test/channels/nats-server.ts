// NATS servers for tests. Without `nats-server` and without Go to install it, the tests are skipped; not so in CI.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { findNatsServer } from '../../../../endurance/nats/find-nats-server.ts';
import { NatsClient } from '../../../../endurance/nats/nats-client.ts';
import { freePorts, NatsNode } from '../../../../endurance/nats/nats-node.ts';

const program = findNatsServer();
if (program === undefined) {
  if (process.env.CI) throw new Error('The tests of NATS need nats-server, or Go to install it.');
  process.stderr.write('The tests of NATS are skipped: there is no nats-server, and no Go to install it.\n');
}

export const describeNats = describe.skipIf(program === undefined);

/** Gone when the test is over. */
export async function startNats(more = ''): Promise<NatsNode> {
  const folder = newFolder();
  const [port] = await freePorts(1);
  const node = new NatsNode({ program: program!, folder, name: 'single', port: port!, more });
  onTestFinished(() => node.kill());
  await node.start();
  return node;
}

export async function openClient(
  { port }: NatsNode,
  credentials?: { user: string; pass: string },
): Promise<NatsClient> {
  const client = await NatsClient.connect(port, credentials);
  onTestFinished(() => client.close());
  return client;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-nats-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
