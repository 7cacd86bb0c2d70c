// Keeps a copy of all bunker orders, in whatever order notifications arrive, and however often. A GET shows the copy.
//
//   SIGNING_SECRET=whsec_… node examples/bunker-order-copy.mjs [port]
//
// It needs a subscription with "eventTypes": ["BunkerOrder.*"], and its signing secret.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 9000);
const secret = Buffer.from(process.env.SIGNING_SECRET.replace('whsec_', ''), 'base64');
const copies = new Map(); // key → { sequence, order }; the order is null once it is deleted

createServer((request, response) => {
  const orders = [...copies.values()].flatMap(({ order }) => order ?? []);
  if (request.method === 'GET') return response.end(JSON.stringify(orders));
  receive(request)
    .then((status) => response.writeHead(status).end())
    .catch(() => response.writeHead(400).end());
}).listen(port, '127.0.0.1', () => console.log(`Receiving at http://127.0.0.1:${port}/`));

async function receive(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers, body)) return 401;
  const { sequence, eventType, serviceObject, resource } = JSON.parse(body);
  // A lower sequence is older than the copy, an equal one is a duplicate. A ping has no resource.
  if (!resource || sequence <= copies.get(resource.key)?.sequence) return 204;
  const isDeleted = eventType === 'D' && serviceObject === resource.key; // the order itself, not one of its lines
  copies.set(resource.key, { sequence, order: isDeleted ? null : resource });
  return 204;
}

function isSigned({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' }, body) {
  if (!(Math.abs(Date.now() / 1000 - time) < 300)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest();
  const given = signatures.split(' ').map((text) => Buffer.from(text.replace('v1,', ''), 'base64'));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}
