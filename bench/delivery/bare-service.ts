// The comparison for latency: the smallest program that delivers changes durably. A change, sent over HTTP or inserted
// by SQL, is one row. A loop that is woken claims rows (`skip locked`), sends each signed with `undici.request`, and
// deletes sent rows in batches.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { Agent, request } from 'undici';
import { decodeSecret, signatureHeader } from '../../packages/server/src/channels/http/sign.ts';
import { ServerHosts } from '../../packages/server/src/database/server-hosts.ts';
import { WakeUp } from '../../packages/server/src/database/wake-up.ts';
import { readText } from '../harness/read-text.ts';
import { type BareChange, bareInsert, bareTable, claimBare, deleteBare, rowsInClaim } from './bare-table.ts';
import type { Subscribed, Template } from './planned-notifications.ts';

export interface BareServicePlan {
  databaseUrl: string;
  template: Template;
  subscribed: readonly Subscribed[];
}

process.once('message', async (plan: BareServicePlan) => {
  process.send!({ port: await serve(plan) });
});
process.on('disconnect', () => process.exit());

async function serve(plan: BareServicePlan): Promise<number> {
  const pool = new pg.Pool({ connectionString: plan.databaseUrl, max: 16 });
  await pool.query(bareTable);
  const insert = bareInsert(plan.template.body);
  const wake = startLoop(plan, pool);
  new WakeUp({ hosts: new ServerHosts(plan.databaseUrl, () => undefined), onWake: wake }).start();
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { comments } = JSON.parse(await readText(incoming)) as { comments: string };
    const place = Number(incoming.url!.slice(1));
    await pool.query({ name: 'insert', text: insert, values: [place, comments] });
    response.writeHead(200, { 'content-type': 'application/json' }).end(plan.template.body);
    wake();
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.writeHead(500).end());
  });
  return await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

function startLoop(plan: BareServicePlan, pool: pg.Pool): () => void {
  const agent = new Agent({ connections: 10, pipelining: 1 });
  const targets = plan.subscribed.map(({ url, signingSecret }) => ({ url, secret: decodeSecret(signingSecret) }));
  let sent: string[] = [];
  let [isClaiming, isWoken, isDeleting] = [false, false, false];
  const forget = async () => {
    if (isDeleting) return;
    isDeleting = true;
    while (sent.length > 0) {
      const ids = sent;
      sent = [];
      await pool.query({ name: 'delete', text: deleteBare, values: [ids] });
    }
    isDeleting = false;
  };
  const deliver = async ({ id, place, text }: BareChange) => {
    const { url, secret } = targets[place]!;
    const name = text.replace(' ', '-');
    const timestamp = Math.floor(Date.now() / 1000);
    const body = plan.template.body.replace(plan.template.id, name);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': name,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader([secret], name, timestamp, body),
    };
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body });
    await answer.body.dump();
    sent.push(id);
    void forget();
  };
  const wake = async () => {
    isWoken = true;
    if (isClaiming) return;
    isClaiming = true;
    while (isWoken) {
      isWoken = false;
      const { rows } = await pool.query<BareChange>({ name: 'claim', text: claimBare });
      for (const row of rows) void deliver(row);
      if (rows.length === rowsInClaim) isWoken = true;
    }
    isClaiming = false;
  };
  setInterval(() => void wake(), 250);
  return () => void wake();
}
