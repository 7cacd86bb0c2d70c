// A signing secret that the subscriber brings along, instead of one that the service creates.

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { signingSecretPurpose } from '../../src/subscriptions/channel/secret-purposes.ts';
import { startHooks } from '../deliver/hooks.ts';
import { administratorSettings } from '../support/access.ts';
import type { Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { least, mistakesOf, pathOf, post, subscribe } from './subscribe.ts';

const service = useTestService();
const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;

async function storedSecret(key: number): Promise<string> {
  const encryption = openEncryption(Buffer.from(administratorSettings.FLAGHOIST_ENCRYPTION_KEY!, 'base64'));
  const { rows } = await service.database.pool.query(
    'select signing_secret_sealed as sealed from flaghoist_service.webhook_subscription where key = $1',
    [key],
  );
  return encryption.decrypt(signingSecretPurpose, rows[0].sealed);
}

test.each([24, 32, 64])('a secret of %i bytes signs, is shown in the 201, and is stored encrypted', async (bytes) => {
  const hooks = await startHooks();
  const signingSecret = secretOf(bytes);
  const { status, body } = await post(service, { ...least, url: hooks.url, signingSecret });
  expect([status, body.signingSecret]).toEqual([201, signingSecret]);
  service.secrets.plant('a given signing secret', signingSecret);
  expect((await service.get(pathOf(body))).body).not.toHaveProperty('signingSecret');
  expect(await storedSecret(body.key)).toBe(signingSecret);
  expect((await service.post(`${pathOf(body)}/ping`, {})).body).toMatchObject({ isDelivered: true });
  const [ping] = hooks.received;
  new Webhook(signingSecret).verify(ping!.body, ping!.headers as Record<string, string>);
});

test('null stands for a secret that the service creates', async () => {
  const { body } = await post(service, { ...least, signingSecret: null });
  expect(body.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('in an array, each subscription has its own', async () => {
  const given = [secretOf(24), undefined, secretOf(40)];
  const { status, body } = await post(
    service,
    given.map((signingSecret) => ({ ...least, signingSecret })),
  );
  expect(status).toBe(201);
  expect(body.map(({ signingSecret }: Shown) => signingSecret)).toEqual([
    given[0],
    expect.stringMatching(/^whsec_/),
    given[2],
  ]);
  for (const { key, signingSecret } of body) expect(await storedSecret(key)).toBe(signingSecret);
});

describe('a mistake', () => {
  const expected =
    'signingSecret: must be a secret of Standard Webhooks: whsec_ followed by 24 to 64 bytes in Base64 with padding.';

  test.each([
    ['too short', secretOf(23)],
    ['too long', secretOf(65)],
    ['without the prefix', secretOf(32).slice(6)],
    ['without padding', secretOf(32).slice(0, -1)],
    ['not Base64', `whsec_${'planted-secret-'.repeat(3)}`],
    ['with a line break', `${secretOf(32)}\n`],
    ['very long', `whsec_${'QUJD'.repeat(50_000)}`],
  ])('says what is expected and never repeats the secret: %s', async (_, signingSecret) => {
    service.secrets.plant('a rejected signing secret', signingSecret.slice(0, 100));
    const headers = { 'idempotency-key': `rejected-${_.replaceAll(' ', '-')}` };
    expect(mistakesOf(await post(service, { ...least, signingSecret, url: 'nowhere' }, headers))).toEqual([
      expect.stringMatching(/^url: /),
      expected,
    ]);
  });

  test.each([
    [7, 'a number'],
    [true, 'a boolean'],
    [['whsec_'], 'an array'],
    [{}, 'an object'],
  ])('is reported for %j', async (signingSecret, name) => {
    expect(mistakesOf(await post(service, { ...least, signingSecret }))).toEqual([
      `signingSecret: must be text, not ${name}.`,
    ]);
  });
});

test('a PUT never takes one: it names the action that does', async () => {
  const made = await subscribe(service);
  const before = await storedSecret(made.key);
  const signingSecret = secretOf(32);
  service.secrets.plant('a refused signing secret', signingSecret);
  for (const sent of [signingSecret, null, 7])
    expect(mistakesOf(await service.put(pathOf(made), { signingSecret: sent }))).toEqual([
      'signingSecret: cannot be changed here: POST rotateSecret gives the subscription another secret.',
    ]);
  expect(await storedSecret(made.key)).toBe(before);
});

test('rotateSecret takes one, and the secret before also signs', async () => {
  const hooks = await startHooks();
  const made = (await post(service, { ...least, url: hooks.url })).body;
  service.secrets.plant('the first secret', made.signingSecret);
  const signingSecret = secretOf(48);
  const headers = { 'idempotency-key': 'rotate-to-my-own' };
  const rotated = await service.post(`${pathOf(made)}/rotateSecret`, { signingSecret }, headers);
  expect([rotated.status, rotated.body.signingSecret]).toEqual([200, signingSecret]);
  service.secrets.plant('a given signing secret', signingSecret);
  const repeated = await service.post(`${pathOf(made)}/rotateSecret`, { signingSecret }, headers);
  expect([repeated.status, repeated.body]).toEqual([
    200,
    { key: made.key, previousSecretExpiresDate: rotated.body.previousSecretExpiresDate },
  ]);
  await service.post(`${pathOf(made)}/ping`, {});
  const [ping] = hooks.received;
  for (const secret of [made.signingSecret, signingSecret])
    new Webhook(secret).verify(ping!.body, ping!.headers as Record<string, string>);
  const refused = secretOf(12);
  service.secrets.plant('a rejected signing secret', refused);
  expect(mistakesOf(await service.post(`${pathOf(made)}/rotateSecret`, { signingSecret: refused }))).toEqual([
    expect.stringMatching(/^signingSecret: must be a secret of Standard Webhooks/),
  ]);
  expect(await storedSecret(made.key)).toBe(signingSecret);
});

test('the audit log and a repeat with the same Idempotency-Key do not show it', async () => {
  const signingSecret = secretOf(32);
  const headers = { 'idempotency-key': 'given-once' };
  const first = await post(service, { ...least, signingSecret }, headers);
  service.secrets.plant('a given signing secret', signingSecret);
  const { signingSecret: _, ...kept } = first.body;
  const repeated = await post(service, { ...least, signingSecret }, headers);
  expect([repeated.status, repeated.body]).toEqual([201, kept]);
  const { body } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${first.body.key}`);
  expect(body).toHaveLength(1);
  expect(body[0].changes).not.toHaveProperty('signingSecret');
});
