// A separate program that consumes a stream and records the id and time of each notification. It acknowledges what has
// arrived, and while that takes, it collects the next batch.

import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import { nowMs } from '../delivery/moment.ts';
import type { Received } from '../delivery/sink.ts';

export type ConsumerRequest =
  | { kind: 'open'; origin: string; headers: Record<string, string>; subscription: number }
  | { kind: 'begin' }
  /** Waits until this many have arrived, or none came for this long. */
  | { kind: 'wait'; count: number; patienceMs: number }
  | { kind: 'take' };

export type Consumed = Pick<Received, 'ids' | 'atMs'>;

interface Streamed {
  notification: number;
  headers: Record<string, string>;
}

let consumed: Consumed = { ids: [], atMs: [] };
let unacknowledged: number[] = [];
let acknowledge: (keys: readonly number[]) => Promise<unknown>;
let isAcknowledging = false;
let progressedAtMs = 0;

process.on('message', async (request: ConsumerRequest) => {
  switch (request.kind) {
    case 'open':
      return process.send!({ status: await open(request) });
    case 'begin':
      consumed = { ids: [], atMs: [] };
      return process.send!({});
    case 'wait':
      return wait(request.count, request.patienceMs);
    case 'take':
      return process.send!(consumed);
  }
});
process.on('disconnect', () => process.exit());

async function open({ origin, headers, subscription }: ConsumerRequest & { kind: 'open' }): Promise<number> {
  const path = `/ws/rest/WebhookSubscription/${subscription}`;
  const pool = new Pool(origin, { connections: 1 });
  acknowledge = async (keys) => {
    const body = JSON.stringify({ notifications: keys });
    const answer = await pool.request({ path: `${path}/acknowledge`, method: 'POST', headers, body });
    if (answer.statusCode !== 200) throw new Error(`Acknowledge: status ${answer.statusCode}`);
    await answer.body.dump();
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request: ClientRequest = get(`${origin}${path}/stream?limit=1000`, { headers, agent: false }, resolve);
    request.on('error', reject);
  });
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) take(block);
    void acknowledgeAll();
  });
  return response.statusCode!;
}

function take(block: string): void {
  const at = block.indexOf('data: ');
  if (at < 0) return;
  const { notification, headers } = JSON.parse(block.slice(at + 'data: '.length)) as Streamed;
  consumed.ids.push(headers['webhook-id']!);
  progressedAtMs = nowMs();
  consumed.atMs.push(progressedAtMs);
  unacknowledged.push(notification);
}

async function acknowledgeAll(): Promise<void> {
  if (isAcknowledging) return;
  isAcknowledging = true;
  while (unacknowledged.length > 0) {
    const keys = unacknowledged;
    unacknowledged = [];
    await acknowledge(keys);
  }
  isAcknowledging = false;
}

function wait(count: number, patienceMs: number): void {
  progressedAtMs = nowMs();
  const timer = setInterval(() => {
    if (consumed.ids.length < count && nowMs() - progressedAtMs < patienceMs) return;
    clearInterval(timer);
    process.send!({});
  }, 20);
}
