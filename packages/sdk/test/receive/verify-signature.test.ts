// Signatures, compared with the package `standardwebhooks`, which is not ours: both accept and reject the same.

import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { readHeaders } from '../../src/receive/message-headers.ts';
import { createVerify } from '../../src/receive/verify-signature.ts';
import { otherSecret, secret, signed } from './sign-delivery.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const isAccepted = async (by: string | string[], headers: Record<string, string>, body: string) =>
  (await createVerify(by)(readHeaders(headers), bytesOf(body))) === undefined;

function isAcceptedByOthers(by: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(by).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const body = fc.json();
const id = fc.stringMatching(/^[\w-]{1,40}$/);

test('what standardwebhooks signs is accepted, and nothing that was changed', async () => {
  await fc.assert(
    fc.asyncProperty(body, id, body, id, async (sent, idSent, otherBody, otherId) => {
      const headers = signed(sent, { id: idSent });
      expect(await isAccepted(secret, headers, sent)).toBe(true);
      expect(await isAccepted([otherSecret, secret], headers, sent)).toBe(true);
      expect(await isAccepted(otherSecret, headers, sent)).toBe(false);
      expect(await isAccepted(secret, headers, otherBody)).toBe(otherBody === sent);
      expect(await isAccepted(secret, { ...headers, 'webhook-id': otherId }, sent)).toBe(otherId === idSent);
    }),
    { numRuns: 50 },
  );
});

test('whatever stands in the headers, both accept or reject it', async () => {
  const right = signed('{}');
  const signature = right['webhook-signature']!;
  const piece = fc.constantFrom(
    signature,
    'v1,',
    'v2,abc',
    ' ',
    '  ',
    ',',
    'v1',
    signature.slice(0, -1),
    'v1a,x',
    '\t',
  );
  const signatures = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(' '));
  await fc.assert(
    fc.asyncProperty(signatures, async (given) => {
      const headers = { ...right, 'webhook-signature': given };
      expect(await isAccepted(secret, headers, '{}')).toBe(isAcceptedByOthers(secret, headers, '{}'));
    }),
    { numRuns: 200 },
  );
});
