// Attributes that can be sent in another form than they are shown in: a field selection as a JSON object, a script by
// its key.

import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, follow, type SchemaNode } from '../describe/api-document.ts';
import { heardBy, subscribe as subscribeTo } from '../match/heard.ts';
import { put as change, makeScript } from '../shape/shaped.ts';
import { create, createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { inBase64, least, mistakesIn, mistakesOf, pathOf, post, subscribe } from './subscribe.ts';

const service = useTestService();

describe('json as an object', () => {
  const selection = { key: '*', bunkerOrderLines: { bunkerType: { bunkerTypeCode: '*' } } };

  test('is shown in Base64, on POST and on PUT', async () => {
    const made = await subscribe(service, { json: selection });
    expect(made.json).toBe(inBase64(JSON.stringify(selection)));
    const { body } = await service.put(pathOf(made), { json: { extraCost: '*' } });
    expect(body.json).toBe(inBase64('{"extraCost":"*"}'));
  });

  test('selects what a notification contains', async () => {
    const subscription = await subscribeTo(service, { eventType: 'Vessel.C', json: { vesselName: '*' } });
    await create(service, 'Vessel', { vesselName: 'Selected', flag: 'NO' });
    const [heard] = await heardBy(service, subscription);
    expect(Object.keys(heard!.body.resource)).toEqual(['key', 'self', 'vesselName']);
  });

  test('sent back as it was shown, or sent again as an object, it is unchanged', async () => {
    const made = await subscribe(service, { json: selection });
    const { body: before, headers } = await service.get(pathOf(made));
    for (const json of [before.json, selection]) {
      const answer = await service.put(pathOf(made), { ...before, json });
      expect(answer.body).toEqual(before);
      expect(answer.headers.get('etag')).toBe(headers.get('etag'));
    }
  });

  test('has its mistakes reported as those in Base64 are', async () => {
    for (const json of [{ nothing: '*' }, { extraCost: 1 }, { vessel: { nothing: '*' } }, { extraCost: {} }, {}]) {
      const asText = await post(service, { ...least, json: inBase64(JSON.stringify(json)) });
      const asObject = await post(service, { ...least, json });
      expect(asObject.status).toBe(asText.status);
      expect(asObject.body.violations).toEqual(asText.body.violations);
    }
    expect(await mistakesIn(service, { ...least, json: { nothing: '*' } })).toEqual([
      expect.stringMatching(/^json: .*nothing/),
    ]);
  });

  test.each([
    [['key'], 'an array'],
    [7, 'a number'],
    [false, 'a boolean'],
  ])('is not %j', async (json, name) => {
    expect(await mistakesIn(service, { ...least, json })).toEqual([
      `json: must be a field selection, in Base64 or as a JSON object, not ${name}.`,
    ]);
  });

  test('keeps the limits of size, digits and depth', async () => {
    const long = await mistakesIn(service, { ...least, json: { [`a${'b'.repeat(70_000)}`]: '*' } });
    expect(long).toEqual([expect.stringMatching(/^json: may have at most 65536 bytes/)]);
    const digits = `{"eventType":"Voyage.U","url":"${least.url}","json":{"key":${'9'.repeat(500)}}}`;
    expect(mistakesOf(await service.post('/ws/rest/WebhookSubscription', digits))).toEqual([
      'json: has a number of more than 400 digits.',
    ]);
    const deep = `{"eventType":"Voyage.U","url":"${least.url}","json":${'{"vessel":'.repeat(70)}"*"${'}'.repeat(71)}`;
    expect((await service.post('/ws/rest/WebhookSubscription', deep)).status).toBe(400);
  });

  test('came with 3.9', async () => {
    const answer = await post(service, { ...least, json: selection }, { 'api-version': '3.8' });
    expect(mistakesOf(answer)).toEqual([expect.stringMatching(/^json: came with API version 3\.9/)]);
  });

  test('can be tried in a dry run', async () => {
    const voyage = await createVoyage(service, await createFleet(service));
    const subscription = { eventType: 'Voyage.U', url: least.url, json: { voyageStatus: '*' }, rawObject: true };
    const { status, body } = await service.post('/ws/rest/WebhookSubscription/test', {
      subscription,
      objectKey: voyage.key,
    });
    expect(status).toBe(200);
    expect(Object.keys(JSON.parse(body.body))).toEqual(['key', 'self', 'voyageStatus']);
  });
});

describe('a script', () => {
  let script: Shown;
  beforeAll(async () => {
    script = await makeScript(service, 'return true;');
  });

  test('is named by its code, its key, as a number or text, or an object with its key; its code is shown', async () => {
    for (const dlpAlertScript of [script.code, script.key, String(script.key), { key: script.key }]) {
      const made = await subscribe(service, { dlpAlertScript });
      expect(made.dlpAlertScript).toBe(script.code);
      await service.put(pathOf(made), { dlpAlertScript: null });
      const { body } = await service.put(pathOf(made), { dlpAlertScript });
      expect(body.dlpAlertScript).toBe(script.code);
    }
  });

  test('is found by a number as its key only, and by a text first as its code', async () => {
    const numbered = await makeScript(service, 'return true;', { code: String(script.key) });
    const byKey = await subscribe(service, { dlpAlertScript: script.key });
    const byCode = await subscribe(service, { dlpAlertScript: String(script.key) });
    expect([byKey.dlpAlertScript, byCode.dlpAlertScript]).toEqual([script.code, numbered.code]);
    // As it is shown, the text stands for the same script again.
    for (const made of [byKey, byCode]) {
      const { body } = await service.put(pathOf(made), { dlpAlertScript: made.dlpAlertScript, useMsg: true });
      expect(body.dlpAlertScript).toBe(made.dlpAlertScript);
    }
    await service.put(pathOf(byCode), { dlpAlertScript: null, useMsg: false });
    expect((await service.delete(`/ws/rest/AlertScript/${numbered.key}`)).status).toBe(204);
  });

  test('that gets another code is shown with it, can be filtered by it, and is kept when it is sent back', async () => {
    const renamed = await makeScript(service, 'return true;', { code: 'first-code' });
    const made = await subscribe(service, { dlpAlertScript: renamed.key });
    const ended = await subscribe(service, { dlpAlertScript: renamed.key });
    await service.put(pathOf(ended), { unsubscribed: true });
    await change(service, 'AlertScript', renamed.key, { code: 'second-code' });
    for (const each of [made, ended]) expect((await service.get(pathOf(each))).body.dlpAlertScript).toBe('second-code');
    const { body: found } = await service.get('/ws/rest/WebhookSubscription?filter=dlpAlertScript(EQ)second-code');
    expect(found.map(({ key }: Shown) => key)).toEqual([made.key, ended.key]);
    await makeScript(service, 'return true;', { code: 'first-code' });
    const { body: shown } = await service.get(pathOf(made));
    expect((await service.put(pathOf(made), shown)).body).toMatchObject({ dlpAlertScript: 'second-code' });
    const { rows } = await service.database.pool.query(
      'select alert_script_key::int as key from flaghoist_service.webhook_subscription where key = $1',
      [made.key],
    );
    expect(rows[0].key).toBe(renamed.key);
    const { body: log } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${made.key}&sort=key(AS)`);
    expect(log.at(-1).changes).toEqual({ dlpAlertScript: ['first-code', 'second-code'] });
  });

  test.each([
    [999_999_999, 'there is no AlertScript with key 999999999.'],
    [{ key: 999_999_999 }, 'there is no AlertScript with key 999999999.'],
    ['999999999', 'there is no AlertScript with code or key "999999999".'],
    [0, /the key must be between 1 and/],
    [1.5, /the key must be a whole number/],
    [true, /must be the code or the key of an AlertScript, or {"key": …}, not a boolean\.$/],
    [[1], /not an array\.$/],
    [{}, /an object must have the member key, and no other\.$/],
    [{ key: 1, code: 'x' }, /an object must have the member key, and no other\.$/],
    [{ key: '1' }, /the key must be a whole number, not text\.$/],
    [{ key: null }, /the key must be a whole number, not null\.$/],
  ])('%j is a mistake that says what is expected', async (dlpAlertScript, message) => {
    const [mistake, ...more] = await mistakesIn(service, { ...least, dlpAlertScript });
    expect(more).toEqual([]);
    expect(mistake).toMatch(/^dlpAlertScript: /);
    if (typeof message === 'string') expect(mistake).toBe(`dlpAlertScript: ${message}`);
    else expect(mistake).toMatch(message);
  });

  test('came with 3.9, in every form', async () => {
    for (const dlpAlertScript of [script.code, script.key, { key: script.key }]) {
      const answer = await post(service, { ...least, dlpAlertScript }, { 'api-version': '3.8' });
      expect(mistakesOf(answer)).toEqual([expect.stringMatching(/^dlpAlertScript: came with API version 3\.9/)]);
    }
  });
});

test('the API description has every form in requests, and text in responses', async () => {
  const document: Document = (await service.get('/openapi.json')).body;
  const { schemas } = document.components;
  const typesOf = (node: SchemaNode): unknown[] => {
    const { anyOf, type } = follow<SchemaNode>(document, node);
    return anyOf ? anyOf.flatMap(typesOf) : [type];
  };
  for (const name of ['WebhookSubscriptionCreate', 'WebhookSubscriptionChange']) {
    const { json, dlpAlertScript } = schemas[name]!.properties!;
    expect(typesOf(json!)).toEqual(['string', 'object', 'null']);
    expect(typesOf(dlpAlertScript!)).toEqual(['string', 'integer', 'object', 'null']);
  }
  const { json, dlpAlertScript } = schemas.WebhookSubscription!.properties!;
  for (const shown of [json, dlpAlertScript]) expect(shown!.type).toEqual(['string', 'null']);
});
