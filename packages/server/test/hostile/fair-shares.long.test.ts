// One client that asks for more than its share of the database keeps nobody else waiting.

import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, fetchToken, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { holdReads } from '../support/held-lock.ts';
import { converse, openSocket, withToken } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';

describe('while every read of voyages has to wait', () => {
  const service = useTestService({ FLAGHOIST_DATABASE_CONNECTIONS: '8', FLAGHOIST_ROLES: 'api' });
  let greedy: TestClient;
  let other: TestClient;
  beforeAll(async () => {
    greedy = await createClient(service, ['read']);
    other = await createClient(service, ['read']);
  });

  test('a client that reads 40 at once has a quarter of the connections, and others are answered', async () => {
    const lock = await holdReads(service, 'flaghoist.voyage');
    const asked = askOften(40, '/ws/rest/Voyage?limit=1', greedy);
    await lock.waiters(2);
    for (let n = 0; n < 2; n += 1)
      expect((await service.get('/ws/rest/Currency?limit=1', other.headers)).status).toBe(200);
    expect(await countWaiting()).toBe(2);
    expect(asked.answered()).toBe(0);
    await lock.letGo();
    expect(await asked.statuses()).toEqual(Array.from({ length: 40 }, () => 200));
  });

  test('long reads of a client leave a connection to its short ones', async () => {
    const lock = await holdReads(service, 'flaghoist.voyage');
    const asked = askOften(5, '/ws/rest/Voyage', greedy);
    await lock.waiters(1);
    expect((await service.get('/ws/rest/Currency?limit=1', greedy.headers)).status).toBe(200);
    expect(await countWaiting()).toBe(1);
    expect(asked.answered()).toBe(0);
    await lock.letGo();
    expect(await asked.statuses()).toEqual([200, 200, 200, 200, 200]);
  });

  test('and clients together hold all connections, the service is ready nevertheless', async () => {
    const clients = [greedy, other, await createClient(service, ['read'])];
    const lock = await holdReads(service, 'flaghoist.voyage');
    const asked = [...clients, undefined].map((client) => askOften(3, '/ws/rest/Voyage?limit=1', client));
    await lock.waiters(8);
    expect((await service.get('/health/ready')).status).toBe(200);
    expect(asked.map(({ answered }) => answered())).toEqual([0, 0, 0, 0]);
    await lock.letGo();
    for (const { statuses } of asked) expect(await statuses()).toEqual([200, 200, 200]);
  });

  test('what a request looks up before it writes counts, too', async () => {
    const script = await service.post('/ws/rest/AlertScript', { code: 'shared', name: 'Shared', body: 'return true;' });
    expect(script.status, script.text).toBe(201);
    const subscriber = await createClient(service, ['read', 'webhook']);
    const lock = await holdReads(service, 'flaghoist_service.alert_script');
    const subscription = { eventType: 'Vessel.U', url: 'http://127.0.0.1:9/', dlpAlertScript: 'shared' };
    const posted = Array.from({ length: 6 }, () =>
      service.post('/ws/rest/WebhookSubscription', subscription, subscriber.headers),
    );
    await lock.waiters(2);
    expect((await service.get('/ws/rest/Currency?limit=1', other.headers)).status).toBe(200);
    expect(await countWaiting()).toBe(2);
    await lock.letGo();
    expect((await Promise.all(posted)).map(({ status }) => status)).toEqual(posted.map(() => 201));
  });

  function askOften(count: number, path: string, client: TestClient | undefined) {
    let answered = 0;
    const all = Array.from({ length: count }, async () => {
      const { status } = await service.get(path, client?.headers);
      answered += 1;
      return status;
    });
    return { answered: () => answered, statuses: () => Promise.all(all) };
  }

  async function countWaiting(): Promise<number> {
    const { rows } = await service.database.pool.query(
      "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows[0].count;
  }
});

describe('a client that holds a quarter of the memory for answers and reads none of them', () => {
  const service = useTestService({ FLAGHOIST_ANSWER_BYTES_MAX: '48000000', FLAGHOIST_ROLES: 'api' });

  test('waits with its next request until it has read or hung up; others are answered', async () => {
    await service.database.pool.query(
      `with v as (insert into flaghoist.voyage default values returning key)
       insert into flaghoist.remarks (source, remark_text)
       select v.key, repeat('x', 1048576) from v, generate_series(1, 20)`,
    );
    const [unread, other] = [await createClient(service, ['read']), await createClient(service, ['read'])];
    const { hostname, port } = new URL(service.url());
    const socket = connect(Number(port), hostname);
    const path = '/ws/rest/Remarks?limit=20&fields=%7B%22remarkText%22:%22*%22%7D';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${unread.token}\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    let isAnswered = false;
    const waiting = service.get('/ws/rest/Currency?limit=1', unread.headers).then(({ status }) => {
      isAnswered = true;
      return status;
    });
    for (let n = 0; n < 2; n += 1) {
      expect((await service.get('/ws/rest/Currency?limit=1', other.headers)).status).toBe(200);
      expect((await service.get(path, other.headers)).status).toBe(200);
    }
    expect(isAnswered).toBe(false);
    socket.destroy();
    expect(await waiting).toBe(200);
  });
});

describe('while clients read none of the answers to their writes, and these take all memory', () => {
  const service = useTestService({ FLAGHOIST_ANSWER_BYTES_MAX: '32000000', FLAGHOIST_ROLES: 'api' });

  test('no write is begun; what is refused has done nothing, and works when there is memory again', async () => {
    const { rows } = await service.database.pool.query(
      `with v as (insert into flaghoist.voyage default values returning key)
       insert into flaghoist.remarks (source, remark_text)
       select v.key, repeat('x', 20 * 1048576) from v, generate_series(1, 2) returning key`,
    );
    const again = { 'idempotency-key': 'once' };
    expect((await service.post('/ws/rest/Vessel', { vesselName: 'Once' }, again)).status).toBe(201);
    const client = await createClient(service, ['read']);
    const sockets = await Promise.all(rows.map((row) => putUnread(`/ws/rest/Remarks/${row.key}`)));

    const writes = {
      post: () => service.post('/ws/rest/Vessel', { vesselName: 'Refused' }),
      put: () => service.put(`/ws/rest/Remarks/${rows[0].key}`, { remarkTitle: 'Refused' }),
      delete: () => service.delete(`/ws/rest/Remarks/${rows[0].key}`),
      again: () => service.post('/ws/rest/Vessel', { vesselName: 'Once' }, again),
      action: () => service.post(`/ws/rest/ApiClient/${client.key}/rotateSecret`, { graceSeconds: 0 }),
    };
    for (const write of Object.values(writes)) {
      const refused = await write();
      expectErrorBody(refused, 503);
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await writes.again()).status).toBe(201);
    expect((await service.get('/ws/rest/Vessel')).body).toHaveLength(1);
    const remarks = (await service.get('/ws/rest/Remarks?fields={"remarkTitle":"*"}')).body;
    expect(remarks).toMatchObject([{ remarkTitle: 'Unread' }, { remarkTitle: 'Unread' }]);
    expect(await fetchToken(service.url(), client)).not.toBe('');
  });

  /** Of a client of its own; done when the first bytes of the answer are there. */
  async function putUnread(path: string): Promise<Socket> {
    const { token } = await createClient(service, ['read', 'write']);
    const socket = openSocket(service.url());
    const body = '{"remarkTitle":"Unread"}';
    const head = `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.write(withToken(token, `${head}\r\n\r\n${body}`));
    await new Promise((resolve) => socket.once('readable', resolve));
    return socket;
  }
});

describe('requests of one connection, the first of which waits for its turn', () => {
  const service = useTestService({ FLAGHOIST_ANSWER_BYTES_MAX: '16000000', FLAGHOIST_ROLES: 'api' });

  test('are all answered, however large the later answers are, and hold up nothing else', async () => {
    await service.database.pool.query(
      `with v as (insert into flaghoist.voyage default values returning key)
       insert into flaghoist.remarks (source, remark_text)
       select v.key, repeat('x', 1048576) from v, generate_series(1, 5)`,
    );
    const lock = await holdReads(service, 'flaghoist.voyage');
    const long = [1, 2].map(() => service.get('/ws/rest/Voyage'));
    await lock.waiters(2);
    const get = (target: string) => withToken(service.token(), `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const pipelined = converse(
      service.url(),
      get('/ws/rest/Voyage') + get('/ws/rest/Remarks?limit=5&fields=%7B%22remarkText%22:%22*%22%7D'),
      { answers: 2 },
    );
    // Begun later than the large answer would be.
    for (let n = 0; n < 20; n += 1) expect((await service.get('/ws/rest/Currency?limit=1')).status).toBe(200);
    await lock.letGo();
    expect((await Promise.all(long)).map(({ status }) => status)).toEqual([200, 200]);
    const { answers } = await pipelined;
    expect(answers.map(({ status, body }) => [status, body.length])).toEqual([
      [200, 1],
      [200, 5],
    ]);
  });
});
