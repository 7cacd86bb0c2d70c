// A request whose client has gone is noticed, also if it went before anybody listened.

import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { whenGone } from '../../src/edge/response/when-gone.ts';

test('a client that went before the handler began has gone', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const aborted = new Promise<boolean>((resolve) => {
    app.get('/', {
      onRequest: async ({ raw }) => {
        socket.destroy();
        await once(raw.socket, 'close');
      },
      handler: async (_, reply) => {
        resolve(whenGone(reply).aborted);
        return {};
      },
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n');
  expect(await aborted).toBe(true);
});
