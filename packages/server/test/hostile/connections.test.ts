// Many connections, and clients that use them badly: nothing is mixed up, nothing is left over, nobody else waits.

import { once } from 'node:events';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { holdRow } from '../support/held-lock.ts';
import { converse, readAnswers, withToken } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { connectTo, countSockets, leaveNothingBehind, poolSockets } from './leaving-clients.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
let key: number;
beforeAll(async () => {
  ({ key } = await create(service, 'Vessel', { vesselName: 'Line Holder' }));
});

const get = (target: string) => authorised(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
const post = (rest: string) =>
  authorised(`POST /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`);

function put(target: string, body: object): string {
  const text = JSON.stringify(body);
  return authorised(
    `PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: ` +
      `application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
}

function authorised(request: string): string {
  return withToken(service.token(), request);
}

const open = () => connectTo(service);

describe('requests sent all at once on one connection', () => {
  test('100 of them are answered in their order', async () => {
    const targets = Array.from({ length: 100 }, (_, index) =>
      index % 3 === 0
        ? `/ws/rest/Vessel/${key}?number=${index}`
        : index % 3 === 1
          ? `/ws/rest/Vessel/${index}0000000`
          : `/ws/rest/Nonsense${index}`,
    );
    const { answers } = await converse(service.url(), targets.map(get).join(''), { answers: 100 });
    expect(answers.map(({ body }) => body.uri)).toEqual(targets.map((target) => service.url() + target));
    expect(answers.map(({ status }) => status)).toEqual(targets.map((_, index) => (index % 3 === 0 ? 400 : 404)));
  });

  test('a slow one holds back the answers behind it, and nothing overtakes it', async () => {
    const held = await holdRow(service, 'vessel', key);
    const bytes = put(`/ws/rest/Vessel/${key}`, { flag: 'NO' }) + get('/ws/rest/Nonsense');
    const conversation = converse(service.url(), bytes, { answers: 2 });
    await held.waiters(1);
    await held.letGo();
    expect((await conversation).answers.map(({ status }) => status)).toEqual([200, 404]);
  });

  test('a write behind a slow one is carried out when that is answered', async () => {
    const [slow, next] = [key, (await create(service, 'Vessel', { vesselName: 'Next in Line', flag: 'NO' })).key];
    const held = await holdRow(service, 'vessel', slow);
    const bytes = put(`/ws/rest/Vessel/${slow}`, { flag: 'DK' }) + put(`/ws/rest/Vessel/${next}`, { flag: 'SE' });
    const conversation = converse(service.url(), bytes, { answers: 2 });
    await held.waiters(1);
    for (let n = 0; n < 20; n += 1) expect((await service.get(`/ws/rest/Vessel/${next}`)).body.flag).toBe('NO');
    await held.letGo();
    expect((await conversation).answers.map(({ body }) => body.flag)).toEqual(['DK', 'SE']);
  });

  test('a body of which only a part has come yet is waited for when it is its turn', async () => {
    const body = JSON.stringify({ vesselName: 'In Parts', vesselType: 'x'.repeat(500_000) });
    const socket = await open();
    const held = await holdRow(service, 'vessel', key);
    socket.write(put(`/ws/rest/Vessel/${key}`, { flag: 'FI' }) + post(`Content-Length: ${body.length}\r\n\r\n`));
    socket.write(body);
    await held.waiters(1);
    await held.letGo();
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
    });
    await expect.poll(() => readAnswers(received).answers.map(({ status }) => status)).toEqual([200, 201]);
    socket.destroy();
  });

  test('a broken body behind a slow request is refused when that is answered', async () => {
    const held = await holdRow(service, 'vessel', key);
    const conversation = converse(
      service.url(),
      put(`/ws/rest/Vessel/${key}`, { flag: 'FI' }) + post('Transfer-Encoding: chunked\r\n\r\nno number\r\n'),
    );
    await held.waiters(1);
    await held.letGo();
    const { answers, isClosed } = await conversation;
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[200, 400], true]);
  });

  test('no more of them are read while some wait', async () => {
    const held = await holdRow(service, 'vessel', key);
    const socket = await open();
    socket.write(put(`/ws/rest/Vessel/${key}`, { flag: 'IS' }));
    await held.waiters(1);
    const flood = `GET /x HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(15_000)}\r\n\r\n`.repeat(2_000);
    let isSent = false;
    socket.write(flood, () => {
      isSent = true;
    });
    for (let n = 0; n < 20; n += 1) expect((await service.get(`/ws/rest/Vessel/${key}`)).status).toBe(200);
    expect(isSent).toBe(false);
    socket.destroy();
    await held.letGo();
  });

  test('bytes that are no request come after one that is carried out, and are answered after it', async () => {
    const held = await holdRow(service, 'vessel', key);
    const conversation = converse(service.url(), `${put(`/ws/rest/Vessel/${key}`, { flag: 'SE' })}nonsense\r\n\r\n`);
    await held.waiters(1);
    await held.letGo();
    const { answers } = await conversation;
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expectErrorBody(answers[1]!, 400);
    expect(answers[0]?.body.flag).toBe('SE');
  });

  test('what stands behind a refused request is not carried out', async () => {
    const refused = `GET /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`;
    const { answers, isClosed } = await converse(
      service.url(),
      refused + put(`/ws/rest/Vessel/${key}`, { flag: 'XX' }),
    );
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[400], true]);
    expect((await service.get(`/ws/rest/Vessel/${key}`)).body.flag).not.toBe('XX');
  });
});

describe('clients that go away', () => {
  // 1,000 times: connections.long.test.ts.
  test('300 times, in every way, leave no socket behind', async () => {
    await leaveNothingBehind(service, 3);
  });
});

describe('clients that hold on', () => {
  test('500 connections that say nothing, and 500 in the middle of their headers, hold nobody up', async () => {
    const held = await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const socket = await open();
        if (index % 2 === 0) socket.write('GET /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nX-Slow: ');
        return socket;
      }),
    );
    for (let turn = 0; turn < 20; turn++) expect((await service.get(`/ws/rest/Vessel/${key}`)).status).toBe(200);
    for (const socket of held) socket.destroy();
  });

  test('a body that comes in drops is waited for while others are served', async () => {
    const text = '{"vesselName":"Drop by Drop"}';
    const socket = await open();
    const answered = once(socket, 'data');
    socket.write(post(`Content-Length: ${text.length}\r\n\r\n`));
    for (const letter of text) {
      await new Promise((resolve) => socket.write(letter, resolve));
      expect((await service.get('/health/live')).status).toBe(200);
    }
    const [answer] = (await answered) as [Buffer];
    expect(answer.toString()).toContain('201 Created');
    socket.destroy();
  });

  test('an answer that nobody reads is not kept for ever more', async () => {
    const before = countSockets();
    const vesselType = 'x'.repeat(900_000);
    const { key: large } = await create(service, 'Vessel', { vesselName: 'Unread', vesselType });
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await open();
        socket.pause();
        socket.write(get(`/ws/rest/Vessel/${large}`).repeat(5));
        return socket;
      }),
    );
    for (let turn = 0; turn < 10; turn++) expect((await service.get(`/ws/rest/Vessel/${key}`)).status).toBe(200);
    for (const socket of sockets) socket.resetAndDestroy();
    await vi.waitFor(() => expect(countSockets()).toBeLessThan(before + poolSockets), { timeout: 20_000 });
  });
});

describeUnharmed(service);
