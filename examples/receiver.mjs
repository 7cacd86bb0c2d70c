// A receiver of notifications: verifies each, and prints it. Node alone is all it needs.
//
//   SIGNING_SECRET=whsec_… node examples/receiver.mjs [port]
//
// The secret is in the answer that creates the subscription. Without it, signatures are not verified.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 9000);
const secret = process.env.SIGNING_SECRET;
if (!secret) {
  console.log('SIGNING_SECRET is not set or empty: signatures are NOT verified, and anybody can send notifications.');
  console.log('Set it to the signingSecret of your subscription. It is in the answer that creates the subscription.');
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (secret && !isSigned(request.headers, body)) {
    console.log('Rejected (401): not signed with the SIGNING_SECRET of this receiver, or too old.');
    response.writeHead(401).end();
    return;
  }
  // A duplicate has the same webhook-id. Store the notification, answer, and process it afterwards.
  response.writeHead(204).end();
  console.log(`\n${request.headers['flaghoist-event']}  ${request.headers['webhook-id']}`);
  console.log(readable(body));
}).listen(port, '127.0.0.1', () => console.log(`Receiving at http://127.0.0.1:${port}/`));

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

function readable(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body.toString();
  }
}
