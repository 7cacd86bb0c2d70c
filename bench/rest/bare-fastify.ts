// For comparison: the least that fastify does for a request.

import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';

process.on('disconnect', () => process.exit());
process.once('message', async () => {
  const app = fastify();
  app.get('/ws/rest/Voyage/:key', async (_, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send('{"hello":"world"}'),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send!({ port: (app.server.address() as AddressInfo).port });
});
