// Whose subscriptions they are, what their user's edition allows, and that no secret gets out.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import type { Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import {
  deactivate,
  identityStylesheet,
  inBase64,
  least,
  mistakesOf,
  pathOf,
  post,
  subscribe,
  subscriptions,
} from './subscribe.ts';

const service = useTestService();
let owner: TestClient;
let other: TestClient;
let mine: Shown;
beforeAll(async () => {
  owner = await createClient(service, ['read', 'webhook'], { edition: 'STANDARD' });
  other = await createClient(service, ['read', 'webhook']);
  mine = await subscribe(service, {}, owner.headers);
});

describe("another user's subscription", () => {
  test('cannot be read, changed or deleted', async () => {
    const path = pathOf(mine);
    for (const answer of [
      await service.get(path, other.headers),
      await service.put(path, { unsubscribed: true }, other.headers),
      await service.put(path, { url: 5 }, other.headers),
      await service.delete(path, other.headers),
      await service.get(`/ws/rest/WebhookNotification/${mine.key}`, other.headers),
    ])
      expectErrorBody(answer, 404);
    expect((await service.get(path, owner.headers)).body).toEqual(mine);
  });

  test('is not in lists', async () => {
    const keys = async (client?: TestClient) =>
      (await service.get(subscriptions, client?.headers)).body.map(({ key }: Shown) => key);
    expect(await keys(other)).toEqual([]);
    expect(await keys(owner)).toContain(mine.key);
    expect(await keys()).toContain(mine.key);
  });

  test('can be read, changed and deleted by an administrator', async () => {
    const theirs = await subscribe(service, {}, other.headers);
    expect((await service.get(pathOf(theirs))).status).toBe(200);
    expect((await service.put(pathOf(theirs), { webhookUsername: 'admin' })).body.user.key).toBe(other.userKey);
    expect((await service.put(pathOf(theirs), { unsubscribed: true })).status).toBe(200);
    expect((await service.delete(pathOf(theirs))).status).toBe(204);
  });
});

describe('the user of a subscription', () => {
  test("is the caller's", () => {
    expect(mine.user.key).toBe(owner.userKey);
  });

  test('can only be set to another user by an administrator', async () => {
    expectErrorBody(await post(service, { ...least, user: other.userKey }, owner.headers), 403);
    const given = await subscribe(service, { user: other.userKey });
    expect(given.user.key).toBe(other.userKey);
    expect((await service.get(pathOf(given), other.headers)).status).toBe(200);
  });

  test('never changes, and the error does not reveal whether another user exists', async () => {
    for (const user of [other.userKey, 99999999, 'nobody-of-this-name'])
      for (const headers of [undefined, owner.headers])
        expect(mistakesOf(await service.put(pathOf(mine), { user }, headers))).toEqual([
          'user: is set when the object is created and cannot be changed.',
        ]);
    expect((await service.put(pathOf(mine), { user: owner.userKey }, owner.headers)).status).toBe(200);
  });

  test(
    'that is another is refused alike, whether or not ' + 'there is such a user, and whatever else is wrong',
    async () => {
      const { body: them } = await service.get(`/ws/rest/ApiUser/${other.userKey}`);
      for (const user of [other.userKey, 99999999, them.userCode, 'nobody-of-this-name'])
        for (const more of [{}, { url: 'nowhere' }])
          expect(expectErrorBody(await post(service, { ...least, ...more, user }, owner.headers), 403).message).toBe(
            'Only a client with the scope admin may create a WebhookSubscription for another user.',
          );
    },
  );
});

describe('a stylesheet', () => {
  const xsl = inBase64(identityStylesheet);
  test('of a user whose edition is not ENTERPRISE is a 403 that says so, whatever else is wrong', async () => {
    for (const body of [
      { ...least, xsl },
      { ...least, xsl: '%', url: 'nowhere' },
    ]) {
      const { message } = expectErrorBody(await post(service, body, owner.headers), 403);
      expect(message).toBe('xsl requires the edition ENTERPRISE; this user has STANDARD.');
    }
  });

  test('that an administrator gives to such a user is a 403, by key and by code', async () => {
    const { body } = await service.get(`/ws/rest/ApiUser/${owner.userKey}`);
    for (const user of [owner.userKey, { key: owner.userKey }, body.userCode])
      expectErrorBody(await post(service, { ...least, xsl, user }), 403);
  });

  test('that a STANDARD administrator gives to an ENTERPRISE user is accepted', async () => {
    const admin = await createClient(service, ['admin'], { edition: 'STANDARD' });
    expectErrorBody(await post(service, { ...least, xsl }, admin.headers), 403);
    const { status, text } = await post(service, { ...least, xsl, user: other.userKey }, admin.headers);
    expect(status, text).toBe(201);
  });

  test('that is null is accepted in every edition', async () => {
    expect((await post(service, { ...least, xsl: null }, owner.headers)).status).toBe(201);
  });

  describe('of a user who has lost the edition', () => {
    const another = inBase64(identityStylesheet.replace('<xsl:template', '\n<xsl:template'));

    async function downgraded() {
      const client = await createClient(service, ['read', 'webhook']);
      const made = await subscribe(service, { xsl }, client.headers);
      await service.put(`/ws/rest/ApiUser/${client.userKey}`, { edition: 'STANDARD' });
      return { made, headers: client.headers };
    }

    test('stays, and everything else can be changed; the stylesheet may be sent back', async () => {
      const { made, headers } = await downgraded();
      const { body: shown } = await service.get(pathOf(made), headers);
      for (const change of [{ ...shown, name: 'kept' }, { name: 'other' }, { url: `${least.url}/2` }]) {
        const { status, body, text } = await service.put(pathOf(made), change, headers);
        expect([status, body.xsl], text).toEqual([200, xsl]);
      }
      // Fixed in every edition.
      for (const changed of [another, null])
        expect(mistakesOf(await service.put(pathOf(made), { xsl: changed }, headers))).toEqual([
          'xsl: is set when the object is created and cannot be changed.',
        ]);
      expectErrorBody(await post(service, { ...least, xsl }, headers), 403);
    });

    test('can be carried over unchanged, or left out, by a subscription that replaces it', async () => {
      for (const [carried, isActive] of [
        [xsl, false],
        [null, false],
        [xsl, true],
      ] as const) {
        const { made, headers } = await downgraded();
        if (!isActive) await deactivate(service, made);
        const replaced = await post(service, { ...least, xsl: carried, replaces: made.key }, headers);
        expect([replaced.status, replaced.body.xsl], replaced.text).toEqual([201, carried]);
      }
    });

    test('cannot be replaced by another one, nor carried over from a subscription that is not replaced', async () => {
      const { made, headers } = await downgraded();
      const next = { ...least, xsl, replaces: made.key };
      expectErrorBody(await post(service, { ...next, xsl: another }, headers), 403);
      expectErrorBody(await post(service, { ...next, replaces: 999_999_999 }, headers), 403);
      const { made: foreign } = await downgraded();
      expectErrorBody(await post(service, { ...next, replaces: foreign.key }, headers), 403);
      expectErrorBody(await post(service, [next, { ...least, xsl }], headers), 403);
      expect((await post(service, next, headers)).status).toBe(201);
    });
  });
});

test.each([['read'], ['webhook'], ['write']])(
  'a client with the scope %s alone cannot manage subscriptions',
  async (scope) => {
    const client = await createClient(service, [scope]);
    for (const answer of [
      await service.get(subscriptions, client.headers),
      await post(service, least, client.headers),
      await service.put(pathOf(mine), {}, client.headers),
      await service.delete(pathOf(mine), client.headers),
    ])
      expectErrorBody(answer, 403);
  },
);

describe('secrets', () => {
  const password = 'planted-webhook-password-Xk7Qp2';

  test('are in no response, no table, no log and not in the audit log', async () => {
    service.secrets.plant('a webhook password', password);
    const made = await subscribe(service, { webhookUsername: 'flaghoist', webhookPassword: password });
    await service.put(pathOf(made), { webhookPassword: `${password}2` });
    await service.put(pathOf(made), { webhookPassword: `${password}\n` });
    await service.put(pathOf(made), { webhookPassword: password.repeat(20) });
    await service.post(subscriptions, { ...least, webhookPassword: password, url: 'nowhere' });
    const { body } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${made.key}&sort=key(AS)`);
    expect(body.map(({ action }: Shown) => action)).toEqual(['CREATE', 'CHANGE']);
    for (const { changes } of body)
      for (const name of ['webhookPassword', 'signingSecret', 'signingSecretSealed', 'createdSnapshot'])
        expect(changes).not.toHaveProperty(name);
    expect(body[0].changes).toMatchObject({ url: [null, least.url], state: [null, 'ACTIVE'] });
  });

  test('cannot be selected by fields, filter or sort: the message says that they are never shown', async () => {
    const never = /"webhookPassword" can be sent, but is never shown/;
    for (const [query, headers] of [
      ['', { fields: '{"webhookPassword":"*"}' }],
      ['?filter=webhookPassword(EQ)x', {}],
      ['?filter=webhookPassword(NOTNULL)', {}],
      ['?sort=webhookPassword(AS)', {}],
    ] as const)
      expect(expectErrorBody(await service.get(`${subscriptions}${query}`, headers), 400).message).toMatch(never);
    for (const name of ['signingSecret', 'signingSecretSealed', 'createdSnapshot'])
      expectErrorBody(await service.get(`${subscriptions}?filter=${name}(NOTNULL)`), 400);
  });
});
