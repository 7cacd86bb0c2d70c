// Every secret that a receiver is sent is one that is masked in its response, in the form in which it was sent.

import { expect, test } from 'vitest';
import { maskSecrets } from '../../src/channels/mask-secrets.ts';
import { readTarget } from '../../src/deliver/targets/target.ts';
import type { TargetRow } from '../../src/deliver/targets/target-table.ts';

const jwt = 'eyJ0eXAiOiJKV1QifQ.eyJqdGkiOiJwbGFudGVkIn0.c2lnbmF0dXJl';
const seed = 'SUAPLANTED5OA3Y6XKJ2PLANTEDSEEDOFANYUSER';
const credentials = `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n\
-----BEGIN USER NKEY SEED-----\r\n${seed}\r\n------END USER NKEY SEED------\n`;

/** Sealed as they are. */
const encryption = { decrypt: (_: string, sealed: string) => sealed } as unknown as Parameters<typeof readTarget>[1];

const row = {
  ...{ key: '7', name: null, url: 'https://receiver.example/', state: 'ACTIVE', user_active: true, event_types: [] },
  channel_info: { channelType: 'NATS', auth: { type: 'CREDENTIALS' } },
  ...{ webhook_username: null, webhook_password: null, retry_policy: null, rate_per_second: null },
  headers_sealed: JSON.stringify({ Authorization: 'Bearer planted-token-5512', 'X-Key': 'planted-key-9031' }),
  channel_secret_sealed: credentials,
  ...{ signing_secret_sealed: null, previous_secret_sealed: null, previous_until_ms: null },
} as unknown as TargetRow;

test.each([
  ['a token without its scheme', 'planted-token-5512'],
  ['a whole header', 'Bearer planted-token-5512'],
  ['a header without a scheme', 'planted-key-9031'],
  ['the JWT of a file with credentials', jwt],
  ['its seed', seed],
])('%s is masked', (_, secret) => {
  expect(maskSecrets(`you sent ${secret}.`, readTarget(row, encryption).confidential)).toBe('you sent ***.');
});
