// The two that are compared: a subscription whose notifications are sent over HTTP, and one whose notifications are
// streamed. Each has its own database, process and receiver.

import { fileURLToPath } from 'node:url';
import { type Service, startService } from '../delivery/servers.ts';
import { Sink } from '../delivery/sink-process.ts';
import { send, type World } from '../delivery/world.ts';
import { NodeProgram } from '../harness/node-program.ts';
import { authorize } from '../harness/service-client.ts';
import { copyDatabase } from '../matching/matching-table.ts';
import type { Consumed, ConsumerRequest } from './stream-consumer.ts';

export type ContenderName = 'STREAM' | 'HTTP';

export interface StreamContender {
  name: ContenderName;
  databaseUrl: string;
  begin(): Promise<unknown>;
  /** Waits for this many notifications, and returns those that came. */
  take(count: number): Promise<Consumed>;
  stop(): Promise<void>;
}

const patienceMs = 10_000;

export async function openContender(name: ContenderName, world: World): Promise<StreamContender> {
  const databaseUrl = await copyDatabase(world.url, `bench_${name.toLowerCase()}`);
  const service = await startService({ databaseUrl, roles: 'api,worker', folder: world.folder });
  const headers = { ...(await authorize(service.origin)), 'content-type': 'application/json' };
  const subscribe = async (wishes: object) => {
    const body = { eventType: 'Voyage.U', ...wishes };
    return Number((await send(`${service.origin}/ws/rest/WebhookSubscription`, 'POST', headers, body)).key);
  };
  const receiver = name === 'HTTP' ? await openSink(subscribe) : await openConsumer(subscribe, service, headers);
  const stop = async () => {
    await receiver.stop();
    await service.program.stop();
  };
  return { name, databaseUrl, ...receiver, stop };
}

type Subscribe = (wishes: object) => Promise<number>;
type Receiver = Pick<StreamContender, 'begin' | 'take' | 'stop'>;

async function openSink(subscribe: Subscribe): Promise<Receiver> {
  const sink = await Sink.start([{ kind: 'prompt' }]);
  await subscribe({ url: sink.urls[0] });
  return {
    begin: () => sink.begin(),
    take: async (count) => {
      await sink.wait(count, patienceMs);
      return await sink.take();
    },
    stop: () => sink.stop(),
  };
}

async function openConsumer(
  subscribe: Subscribe,
  { origin }: Service,
  headers: Record<string, string>,
): Promise<Receiver> {
  const subscription = await subscribe({ channelInfo: { channelType: 'STREAM' } });
  const script = fileURLToPath(new URL('./stream-consumer.js', import.meta.url));
  const program = new NodeProgram({ script, hasChannel: true });
  const ask = <Answer>(request: ConsumerRequest) => program.ask<Answer>(request);
  const { status } = await ask<{ status: number }>({ kind: 'open', origin, headers, subscription });
  if (status !== 200) throw new Error(`The stream cannot be opened: status ${status}`);
  return {
    begin: () => ask({ kind: 'begin' }),
    take: async (count) => {
      await ask({ kind: 'wait', count, patienceMs });
      return await ask<Consumed>({ kind: 'take' });
    },
    stop: () => program.stop(),
  };
}
