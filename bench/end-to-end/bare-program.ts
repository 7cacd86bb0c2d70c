// The comparison: the least program that does the same work. `node:http`, `pg`, one statement for a change with the row
// of its outbox, claims in batches, signed delivery, and recorded outcomes. No token, no model, no checks.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Agent, request } from 'undici';
import { decodeSecret, signatureHeader } from '../../packages/server/src/channels/http/sign.ts';
import { readText } from '../harness/read-text.ts';
import {
  bareTables,
  changeObject,
  claim,
  createObject,
  type OutboxRow,
  outboxChannel,
  recordOutcomes,
  rowsInClaim,
} from './bare-table.ts';

export interface BarePlan {
  databaseUrl: string;
  documents: readonly string[];
  signingSecret: string;
  /** Of changes of the objects that were made from `documents`, in turn. */
  changeUrls: readonly string[];
  /** Of new objects. */
  createUrl: string;
}

export interface BareReady {
  port: number;
  /** Of the objects that were made from `documents`. */
  keys: number[];
}

process.once('message', async (plan: BarePlan) => {
  process.send!(await startBare(plan));
});
process.on('disconnect', () => process.exit());

async function startBare(plan: BarePlan): Promise<BareReady> {
  const pool = new pg.Pool({ connectionString: plan.databaseUrl, max: 16, idleTimeoutMillis: 0 });
  await pool.query(bareTables);
  const keys: number[] = [];
  for (const document of plan.documents) keys.push(Number((await pool.query(createObject, [document])).rows[0].key));
  await pool.query('truncate bare_outbox');
  const wake = startDelivery(plan, pool, keys);
  await listen(plan.databaseUrl, wake);
  const server = createServer((incoming, response) => {
    answer(pool, incoming, response).then(wake, () => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return { port: (server.address() as AddressInfo).port, keys };
}

/** To other programs that write to the outbox. */
async function listen(databaseUrl: string, wake: () => void): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  client.on('notification', wake);
  await client.query(`listen ${outboxChannel}`);
}

/** `POST /` creates an object; `PUT /<key>` changes one. */
async function answer(pool: pg.Pool, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readText(incoming);
  JSON.parse(body);
  const { rows } =
    incoming.method === 'POST'
      ? await pool.query({ name: 'create', text: createObject, values: [body] })
      : await pool.query({ name: 'change', text: changeObject, values: [incoming.url!.slice(1), body] });
  const { key, document } = rows[0] as { key: string; document: string };
  const text = `{"key":${key},${document.slice(1)}`;
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) };
  response.writeHead(incoming.method === 'POST' ? 201 : 200, headers).end(text);
}

/** Returns what wakes it. */
function startDelivery(plan: BarePlan, pool: pg.Pool, keys: readonly number[]): () => void {
  const agent = new Agent({ connections: 10, pipelining: 1 });
  const secret = decodeSecret(plan.signingSecret);
  const urlOf = new Map(keys.map((key, n) => [String(key), plan.changeUrls[n % plan.changeUrls.length]!]));
  let outcomes: { id: string; status: number }[] = [];
  let [isClaiming, isWoken, isRecording] = [false, false, false];
  const record = async () => {
    if (isRecording) return;
    isRecording = true;
    while (outcomes.length > 0) {
      const some = outcomes;
      outcomes = [];
      const values = [some.map(({ id }) => id), some.map(({ status }) => status)];
      await pool.query({ name: 'record', text: recordOutcomes, values });
    }
    isRecording = false;
  };
  const deliver = async ({ id, object_key, event, body }: OutboxRow) => {
    const url = event === 'C' ? plan.createUrl : urlOf.get(object_key)!;
    const timestamp = Math.floor(Date.now() / 1000);
    const message =
      `{"id":"${id}","type":"Vessel.${event}.${object_key}","timestamp":${timestamp},` +
      `"resource":{"key":${object_key},${body.slice(1)}}`;
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader([secret], id, timestamp, message),
    };
    const response = await request(url, { dispatcher: agent, method: 'POST', headers, body: message });
    await response.body.dump();
    outcomes.push({ id, status: response.statusCode });
    void record();
  };
  const wake = async () => {
    isWoken = true;
    if (isClaiming) return;
    isClaiming = true;
    while (isWoken) {
      isWoken = false;
      const { rows } = await pool.query<OutboxRow>({ name: 'claim', text: claim });
      for (const row of rows) void deliver(row);
      if (rows.length === rowsInClaim) isWoken = true;
    }
    isClaiming = false;
  };
  setInterval(() => void wake(), 250);
  return () => void wake();
}
