// The peer: what a good programmer would write by hand for these three requests only, on `node:http` and `pg`. Same
// SQL, same pool, named statements, pipelined transactions, same ETag; no framework, no model, no optional checks.

import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { readText } from '../harness/read-text.ts';
import type { PeerPlan } from './peer-plan.ts';

process.once('message', (plan: PeerPlan) => startPeer(plan));
process.on('disconnect', () => process.exit());

const resource = '/ws/rest/Voyage';

// The database renders the JSON, and it is sent unchanged.
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text);

function startPeer(plan: PeerPlan): void {
  const pool = new pg.Pool({
    connectionString: plan.databaseUrl,
    max: plan.connections,
    pipeline: true,
  } as pg.PoolConfig);
  const server = createServer((request, response) => {
    answer(plan, pool, request, response).catch((error: Error) => {
      response.writeHead(500).end(error.message);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
}

async function answer(
  plan: PeerPlan,
  pool: pg.Pool,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = request.url ?? '';
  if (url.startsWith(`${resource}?`)) return await answerList(plan, pool, url, response);
  const key = Number(url.slice(resource.length + 1));
  if (!url.startsWith(`${resource}/`) || !Number.isSafeInteger(key)) {
    response.writeHead(404).end();
    return;
  }
  if (request.method === 'GET') return await answerRead(plan, pool, key, response);
  if (request.method === 'PUT') return await answerChange(plan, pool, key, await readText(request), response);
  response.writeHead(405).end();
}

interface ReadRow {
  object: string;
  state: string;
}

async function answerRead({ readSql }: PeerPlan, pool: pg.Pool, key: number, response: ServerResponse): Promise<void> {
  const { rows } = await pool.query<ReadRow>({ name: 'read', text: readSql, values: [key] });
  sendObject(response, rows[0]);
}

async function answerChange(
  { readSql, actorSql, actorValues, updateSql }: PeerPlan,
  pool: pg.Pool,
  key: number,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const { comments } = JSON.parse(body) as { comments: unknown };
  if (typeof comments !== 'string' || comments.length > 64) {
    response.writeHead(400).end();
    return;
  }
  const client = await pool.connect();
  try {
    const [, , , read] = await Promise.all([
      client.query('begin'),
      client.query({ name: 'actor', text: actorSql, values: actorValues }),
      client.query({ name: 'update', text: updateSql, values: [key, comments] }),
      client.query<ReadRow>({ name: 'read', text: readSql, values: [key] }),
      client.query('commit'),
    ]);
    client.release();
    sendObject(response, read.rows[0]);
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function answerList({ listSql }: PeerPlan, pool: pg.Pool, url: string, response: ServerResponse): Promise<void> {
  const filter = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('filter') ?? '';
  const code = /^ballastPort\.unLoCode\(EQ\)(\w+)$/.exec(filter)?.[1];
  if (code === undefined) {
    response.writeHead(400).end();
    return;
  }
  const { rows } = await pool.query<{ object: string; total: string }>({
    name: 'list',
    text: listSql,
    values: [code],
  });
  const [head, ...objects] = rows;
  send(response, `[${objects.map(({ object }) => object).join(',')}]`, { totalObjectsNumber: head!.total });
}

function sendObject(response: ServerResponse, row: ReadRow | undefined): void {
  if (row === undefined) {
    response.writeHead(404).end();
    return;
  }
  const view = hash('sha1', row.object, 'base64url').slice(0, 16);
  send(response, row.object, { etag: `"${row.state}.${view}"` });
}

function send(response: ServerResponse, body: string, headers: Record<string, string>): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
