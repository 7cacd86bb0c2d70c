// Receivers of notifications: an HTTP server on loopback that stores what it receives and responds as a test defines.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { TestClient } from '../support/access.ts';
import type { TestService } from '../support/test-service.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** Name and value in turn, as they came. */
  rawHeaders: string[];
  body: string;
  atMs: number;
}

export interface Hooks {
  url: string;
  received: Received[];
  /** Those of one path. */
  at(path: string): Received[];
}

export type Respond = (response: ServerResponse, received: Received) => void;

/** Answers 200 unless told otherwise. Gone when the test is over. */
export async function startHooks(respond: Respond = (response) => response.end('thanks')): Promise<Hooks> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '', headers, rawHeaders } = request;
    const one = { path, headers, rawHeaders, body: Buffer.concat(chunks).toString(), atMs: performance.now() };
    received.push(one);
    respond(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, at: (path) => received.filter((each) => each.path === path) };
}

export function answering(...statuses: number[]): Respond {
  let count = 0;
  return (response) => {
    response.statusCode = statuses[Math.min(count, statuses.length - 1)]!;
    count += 1;
    response.end(`answer ${count}`);
  };
}

/** Answers the whole subscription, with its signing secret. */
export async function subscribeTo(service: TestService, wishes: Record<string, unknown>, by?: TestClient) {
  const answer = await service.post('/ws/rest/WebhookSubscription', { eventType: 'Voyage.C', ...wishes }, by?.headers);
  expect(answer.status, answer.text).toBe(201);
  if (answer.body.signingSecret) service.secrets.plant('a signing secret', answer.body.signingSecret);
  return answer.body;
}

export async function createVoyage(service: TestService, body: object = {}): Promise<number> {
  const answer = await service.post('/ws/rest/Voyage', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.key;
}

export async function readSubscription(service: TestService, { key }: { key: number }) {
  return (await service.get(`/ws/rest/WebhookSubscription/${key}`)).body;
}

/** Whole, oldest first. */
export async function notificationsOf(service: TestService, { key }: { key: number }) {
  const list = await service.get(`/ws/rest/WebhookNotification?filter=subscription(EQ)${key}&sort=key(AS)`);
  expect(list.status, list.text).toBe(200);
  return await Promise.all(
    list.body.map(
      async (each: { key: number }) => (await service.get(`/ws/rest/WebhookNotification/${each.key}`)).body,
    ),
  );
}

/** Waits until what there is to a subscription has these statuses, oldest first. */
export async function settled(
  service: TestService,
  subscription: { key: number },
  statuses: string[],
  timeout = 10_000,
) {
  const read = async () => (await notificationsOf(service, subscription)).map(({ status }) => status);
  await expect.poll(read, { timeout, interval: 50 }).toEqual(statuses);
  return await notificationsOf(service, subscription);
}
