// Signatures: as Standard Webhooks has them, to the byte, and as its own library verifies them.

import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { decodeSecret, signatureHeader } from '../../src/channels/http/sign.ts';
import { openChannel, startReceiver } from './receiver.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestamp = 1614265330;

describe('SIG-01', () => {
  test.each([
    ['{"test": 2432232314}', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    ['', 'v1,v48jdbgvh29KJz2Qc+ghw8G6vG3nAKnujWBg8oM/62A='],
    ['{"n":"Ålesund €"}', 'v1,J2+OwMSW2VzKG3X5FNjq5LuEfgZ4SgTCBbhy7laoITg='],
  ])('%s is signed as others sign it, as text and as bytes', (body, signature) => {
    const key = decodeSecret(secret);
    expect(signatureHeader([key], id, timestamp, body)).toBe(signature);
    expect(signatureHeader([key], id, timestamp, Buffer.from(body))).toBe(signature);
  });
});

test('SIG-10: while a secret is replaced there are two signatures, and each of the two secrets verifies', () => {
  const secrets = [makeSecret(), makeSecret()];
  const now = Math.floor(Date.now() / 1000);
  const signature = signatureHeader(secrets.map(decodeSecret), id, now, '{"a":1}');
  expect(signature).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': signature };
  for (const each of secrets) expect(new Webhook(each).verify('{"a":1}', headers)).toEqual({ a: 1 });
  expect(() => new Webhook(makeSecret()).verify('{"a":1}', headers)).toThrow();
});

test('SIG-14: a secret without its prefix is none', () => {
  expect(() => decodeSecret('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toThrow('whsec_');
});

test('SIG-02, SIG-04, SIG-19: what arrives is verified by the library, whatever characters are in it', async () => {
  const receiver = await startReceiver();
  const channel = openChannel();
  const bodies = ['{"n":"Ålesund €"}', '{"n":"🚢\u2028\u0000"}', '{"b":1,"a":1e21}', '<Voyage/>', '\ud800'];
  for (const text of bodies) {
    const body = Buffer.from(text);
    const now = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(now),
      'webhook-signature': signatureHeader([decodeSecret(secret)], id, now, body),
    };
    const sent = await channel.send({ url: receiver.url, headers: Object.entries(headers).flat(), body });
    expect(sent).toMatchObject({ kind: 'delivered' });
    const { head, body: arrived } = receiver.requests.at(-1)!;
    expect(head).toContain(`content-length: ${body.length}`);
    for (const name of Object.keys(headers)) expect(head.match(new RegExp(`^${name}:`, 'gim'))).toHaveLength(1);
    new Webhook(secret).verify(arrived, Object.fromEntries(headersOf(head)), { jsonParse: false });
  }
});

test('SIG-17: of 1,000 tamperings with one byte, in id, time, body or signature, none is verified', () => {
  const now = Math.floor(Date.now() / 1000);
  const body = '{"id":"7-9","resource":{"key":793628,"name":"Ålesund"}}';
  const genuine = [id, String(now), body, signatureHeader([decodeSecret(secret)], id, now, body)] as const;
  const webhook = new Webhook(secret);
  expect(verifies(webhook, genuine)).toBe(true);
  for (let seed = 0; seed < 1_000; seed++) expect(verifies(webhook, tamper(genuine, seed)), `seed ${seed}`).toBe(false);
});

type Sent = readonly [id: string, timestamp: string, body: string, signature: string];

function verifies(webhook: Webhook, [webhookId, time, body, signature]: Sent): boolean {
  const headers = { 'webhook-id': webhookId, 'webhook-timestamp': time, 'webhook-signature': signature };
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** One character of one of the four is another one. */
function tamper(sent: Sent, seed: number): Sent {
  const chance = createHmac('sha256', 'tampering').update(String(seed)).digest();
  const part = chance[0]! % 4;
  const text = sent[part]!;
  // The Base64 of 32 bytes leaves two bits of its last character without meaning.
  const at = chance.readUInt16BE(1) % (part === 3 ? text.length - 2 : text.length);
  const other = String.fromCharCode(text.charCodeAt(at) ^ (1 + (chance[3]! % 3)));
  return sent.map((each, index) =>
    index === part ? text.slice(0, at) + other + text.slice(at + 1) : each,
  ) as unknown as Sent;
}

function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function headersOf(head: string): [string, string][] {
  return head
    .split('\r\n')
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
}
