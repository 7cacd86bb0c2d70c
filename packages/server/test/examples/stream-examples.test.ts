// The examples that consume a stream: the agency appointments, which write back, and the delay board.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { create, createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { allDelivered } from './order-copy.ts';
import { startExample } from './start-example.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
  const [rotterdam, singapore] = [
    await create(service, 'Port', { unLoCode: 'NLRTM', portName: 'Rotterdam' }),
    await create(service, 'Port', { unLoCode: 'SGSIN', portName: 'Singapore' }),
  ];
  fleet = { ...fleet, port: rotterdam, otherPort: singapore };
  for (const businessPartnerCode of ['DEMO-LINDQUIST', 'DEMO-ORIENTAL'])
    await create(service, 'BusinessPartner', { businessPartnerCode, businessPartnerName: businessPartnerCode });
});

/** A client of its own, with the environment of a program that uses it. */
async function environmentOf(url = service.url()) {
  const client = await createClient(service, ['read', 'write', 'webhook']);
  const { clientId, clientSecret } = client;
  return {
    client,
    environment: { FLAGHOIST_URL: url, FLAGHOIST_CLIENT_ID: clientId, FLAGHOIST_CLIENT_SECRET: clientSecret },
  };
}

/** Passes everything on to the service, after `before` has seen the request. */
async function startRelay(before: (request: IncomingMessage) => Promise<void>): Promise<string> {
  const server = createServer(async (request, response) => {
    await before(request);
    const { method, headers, url } = request;
    const passed = requestOf(`${service.url()}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the agency appoints agents, repeats a change that is stale, and does not hear of its own changes', {
  timeout: 60_000,
}, async () => {
  const before = await createVoyage(service, fleet);
  const contested = { key: 0, times: 0 };
  const relay = await startRelay(async ({ method, url }) => {
    if (method !== 'PUT' || url !== `/ws/rest/PortCall/${contested.key}`) return;
    contested.times += 1;
    // Somebody else is faster, once.
    if (contested.times === 1) await service.put(url, { eta: '2026-11-21T08:00:00' });
  });
  const { client, environment } = await environmentOf(relay);
  const agency = startExample('agency-appointments/agency-appointments.mjs', [], environment);
  const agentsOf = async ({ key }: Shown) =>
    (await read(service, 'Voyage', key)).portCalls.map((each: Shown) => each.agent?.businessPartnerCode);
  await agency.says('Waiting for changes');
  expect(await agentsOf(before)).toEqual(['DEMO-LINDQUIST', 'DEMO-ORIENTAL']);

  const created = await createVoyage(service, fleet);
  await expect.poll(() => agentsOf(created), { timeout: 10_000 }).toEqual(['DEMO-LINDQUIST', 'DEMO-ORIENTAL']);
  contested.key = created.portCalls[0].key;
  const path = `/ws/rest/PortCall/${contested.key}`;
  expect((await service.put(path, { agent: 'DEMO-ORIENTAL', eta: '2026-11-20T08:00:00' })).status).toBe(200);
  await agency.says(`Port call ${contested.key} has been changed meanwhile. Once more.`);
  await expect.poll(() => agentsOf(created), { timeout: 10_000 }).toEqual(['DEMO-LINDQUIST', 'DEMO-ORIENTAL']);
  expect(contested.times).toBe(2);
  expect((await service.get(path)).body.eta).toBe('2026-11-21T08:00:00');

  await allDelivered(service, client);
  const notified = await service.get('/ws/rest/WebhookNotification?sort=key(AS)', client.headers);
  // What others have changed: one port call, twice.
  const heard = notified.body.map(({ objectType, eventType }: Shown) => `${objectType}.${eventType}`);
  expect(heard.filter((one: string) => one === 'PortCall.U')).toHaveLength(2);
  // Two port calls of each voyage, and the contested one again.
  const decisions = await service.get('/ws/rest/WebhookSubscription/decisions?limit=100', client.headers);
  expect(decisions.body.filter(({ reason }: Shown) => reason === 'OWN_CHANGE')).toHaveLength(5);
  expect(await agency.kill('SIGTERM')).toBe(0);
  expect(agency.printed()).not.toContain('Error');
});

test('the delay board shows delays only, with the hours since the first one, and goes on after kill -9', {
  timeout: 60_000,
}, async () => {
  const { portCalls, referenceNo } = await createVoyage(service, fleet);
  const path = `/ws/rest/PortCall/${portCalls[0].key}`;
  const expected = async (eta: string) => expect((await service.put(path, { eta })).status).toBe(200);
  const { client, environment } = await environmentOf();
  await expected('2026-11-20T08:00:00');
  const board = startExample('delay-board/delay-board.mjs', [], environment);
  await board.says('Waiting for delays');
  await expected('2026-11-20T13:30:00');
  await board.says(new RegExp(`^ *${referenceNo} .*Rotterdam +2026-11-20 13:30:00 +5.5 h$`, 'm'));
  await expected('2026-11-20T12:00:00');
  await expected('2026-11-20T18:00:00');
  await board.says(/18:00:00 +10.0 h$/m);
  expect(board.printed()).not.toContain('12:00:00');
  await allDelivered(service, client);
  await board.kill('SIGKILL');

  await expected('2026-11-21T18:00:00');
  const next = startExample('delay-board/delay-board.mjs', [], environment);
  await next.says(/2026-11-21 18:00:00 +24.0 h$/m);
  expect(await next.kill('SIGINT')).toBe(0);
  expect(next.printed()).not.toContain('18:00:00  10.0 h');
  expect(board.printed() + next.printed()).not.toContain('Error');
});
