// AlertScript as a resource: administrators write it, others read it, and what could not be run is refused when it is
// saved.

import { describe, expect, test } from 'vitest';
import { subscribeTo } from '../deliver/hooks.ts';
import { makeScript, scripts } from '../shape/shaped.ts';
import { mistakesOf } from '../subscriptions/subscribe.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { holdRow } from '../support/held-lock.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const url = 'http://127.0.0.1:9/';
const least = { code: 'least', name: 'Least', body: 'return true;' };

describe('an administrator', () => {
  test('creates, reads, finds, changes and deletes one', async () => {
    const parameters = [
      { name: 'days', type: 'number', default: 2.5, description: 'How many.' },
      { name: 'word', type: 'text', required: true },
    ];
    const sent = {
      code: 'late',
      name: 'Late',
      description: 'For the desk.',
      body: 'return svcObject.daysLoading > parameters.days && parameters.word !== "";',
      parameters,
      fields: { portCalls: '*' },
    };
    const created = await service.post(scripts, sent);
    expect(created.status, created.text).toBe(201);
    expect(created.body).toMatchObject(sent);
    const path = `${scripts}/${created.body.key}`;
    expect((await service.get(path)).body).toMatchObject(sent);
    expect((await service.get(`${scripts}?filter=code(EQ)late`)).body).toMatchObject([{ key: created.body.key }]);
    expect((await service.get(`${scripts}?filter=name(EQ)Nobody`)).body).toEqual([]);
    const changed = await service.put(path, { body: 'return false;', parameters: null, fields: null });
    expect(changed.status, changed.text).toBe(200);
    expect((await service.get(path)).body).toMatchObject({ body: 'return false;', parameters: null, fields: null });
    expect((await service.delete(path)).status).toBe(204);
    expect((await service.get(path)).status).toBe(404);
  });

  test('cannot give two the same code', async () => {
    await makeScript(service, 'return true;', { code: 'twice' });
    expectErrorBody(await service.post(scripts, { ...least, code: 'twice' }), 409);
  });

  test('changes the body alone, as long as the parameters are the same', async () => {
    const parameters = [{ name: 'n', type: 'integer' }];
    const script = await makeScript(service, 'return parameters.n > 1;', { parameters });
    expect((await service.put(`${scripts}/${script.key}`, { body: 'return parameters.n > 2;' })).status).toBe(200);
    const refused = await service.put(`${scripts}/${script.key}`, { body: 'return parameters.m > 2;' });
    expect(mistakesOf(refused)).toEqual([
      'parameters: the body uses parameters.m, which is not declared.',
      'parameters: n is declared, and the body does not use it.',
    ]);
  });
});

test('with the scope read, scripts can be read and not written', async () => {
  const script = await makeScript(service, 'return true;');
  const path = `${scripts}/${script.key}`;
  for (const scopes of [['read'], ['write', 'webhook']]) {
    const { headers } = await createClient(service, scopes);
    expect((await service.get(path, headers)).body).toMatchObject({ body: 'return true;' });
    expectErrorBody(await service.post(scripts, least, headers), 403);
    expectErrorBody(await service.put(path, { name: 'Mine' }, headers), 403);
    expectErrorBody(await service.delete(path, headers), 403);
  }
  expect((await service.get(path)).body).toMatchObject({ name: 'A script' });
});

describe('a body that cannot be compiled is rejected with line and column', () => {
  test.each([
    ['return svcObject.;', 'body: Line 1, column 18: Unexpected token.'],
    ['const a = 1;\n  if (a {', 'body: Line 2, column 9: Unexpected token.'],
    ['return true; }; (function () {', /^body: Line 1, column 15: /],
    ['import fs from "fs";', /^body: Line 1, column 1: .*not a module/],
    ['return import("fs");', /^body: Line 1, column 8: Modules cannot be imported/],
    ['await 1; return true;', /^body: Line 1, column \d+: await can only/],
    ['using x = 1; return true;', /^body: Line 1, column \d+: using is not supported/],
    ['return (("'.padEnd(50_000, '('), /^body: Line 1/],
    ['(', /^body: Line \d/],
  ])('%#', async (body, mistake) => {
    const [told] = mistakesOf(await service.post(scripts, { ...least, body }));
    expect(told).toMatch(mistake);
  });

  test('deeply nested', async () => {
    const body = `return ${'['.repeat(40_000)}${']'.repeat(40_000)};`;
    expect(mistakesOf(await service.post(scripts, { ...least, body }))[0]).toMatch(/^body: /);
  });

  test('of more than 256 kB', async () => {
    const answer = await service.post(scripts, { ...least, body: `return true; // ${'é'.repeat(132_000)}` });
    expect(mistakesOf(answer)[0]).toMatch(/^body: may have at most \d+ bytes; this has 264016\.$/);
  });

  test('in an array, with its path', async () => {
    const answer = await service.post(scripts, [least, { ...least, code: 'other', body: 'return (;' }]);
    expect(mistakesOf(answer)).toEqual([expect.stringMatching(/^\[1\]\.body: Line 1, column 9/)]);
    expect((await service.get(`${scripts}?filter=code(EQ)least`)).body).toEqual([]);
  });

  test.each([[[]], [[{ body: 'return false;' }]], [null], [5]])(
    '%j for one that is there: told that it is no object',
    async (body) => {
      const { key } = await makeScript(service, 'return true;');
      expect(mistakesOf(await service.put(`${scripts}/${key}`, body))).toEqual([
        expect.stringContaining('must be an object'),
      ]);
    },
  );
});

describe('parameters', () => {
  const declare = (...parameters: unknown[]) => ({ ...least, body: 'return parameters.p;', parameters });

  test.each([
    ['not declared', { ...least, body: 'return parameters.p;' }, /^parameters: the body uses parameters\.p/],
    ['not used', { ...declare({ name: 'p', type: 'text' }), body: 'return true;' }, /^parameters: p is declared/],
    ['no array', { ...least, parameters: { p: 'text' } }, /^parameters: must be an array/],
    ['no object', declare('p'), /^parameters\[0\]: must be an object/],
    ['a bad name', declare({ name: 'p q', type: 'text' }), /^parameters\[0\]\.name: /],
    ['__proto__', declare({ name: '__proto__', type: 'text' }), /^parameters\[0\]\.name: /],
    ['no name', declare({ type: 'text' }), /^parameters\[0\]\.name: /],
    ['an unknown type', declare({ name: 'p', type: 'date' }), /^parameters\[0\]\.type: must be one of text/],
    ['a wrong default', declare({ name: 'p', type: 'integer', default: 1.5 }), /^parameters\[0\]\.default: .* whole/],
    ['a default that is no day', declare({ name: 'p', type: 'dateTime', default: '2026-02-30T00:00:00' }), /default/],
    ['twice', declare({ name: 'p', type: 'text' }, { name: 'p', type: 'text' }), /^parameters\[1\]\.name: is the name/],
    ['an unknown member', declare({ name: 'p', type: 'text', min: 1 }), /^parameters\[0\]: has no member "min"/],
    ['required, in words', declare({ name: 'p', type: 'text', required: 'yes' }), /^parameters\[0\]\.required/],
    ['very many', declare(...Array.from({ length: 51 }, (_, n) => ({ name: `p${n}`, type: 'text' }))), /at most 50/],
  ])('%s: rejected', async (_, body, mistake) => {
    expect(mistakesOf(await service.post(scripts, body))[0]).toMatch(mistake);
  });

  test('that the body reads by computed names can be declared', async () => {
    await makeScript(service, 'return parameters["p" + 1];', { parameters: [{ name: 'p1', type: 'boolean' }] });
    await makeScript(service, 'const { p1 = true } = parameters; return p1;', {
      parameters: [{ name: 'p1', type: 'boolean' }],
    });
  });

  test.each([[[]], ['*'], [1], [true]])('fields that are not an object, as %j, are rejected', async (fields) => {
    expect(mistakesOf(await service.post(scripts, { ...least, fields }))).toEqual([
      'fields: must be an object: a field selection.',
    ]);
  });
});

describe('the parameters are compared with the body', () => {
  const declares = (...names: string[]) => ({ parameters: names.map((name) => ({ name, type: 'text' })) });
  const spoil = (key: number, body: string) =>
    service.database.pool.query('update flaghoist_service.alert_script set body = $2 where key = $1', [key, body]);

  test('of each of many scripts in one request', async () => {
    const many = Array.from({ length: 101 }, (_, n) => ({ ...least, code: `many-${n}`, body: `return ${n} > 0;` }));
    const answer = await service.post(scripts, [{ ...many[0], body: 'return parameters.p;' }, ...many.slice(1)]);
    expect(mistakesOf(answer)).toEqual(['[0].parameters: the body uses parameters.p, which is not declared.']);
  });

  test('with the stored body, if only they are changed', async () => {
    const script = await makeScript(service, 'return parameters.p;', declares('p'));
    const path = `${scripts}/${script.key}`;
    expect(mistakesOf(await service.put(path, declares('q')))).toEqual([
      'parameters: the body uses parameters.p, which is not declared.',
      'parameters: q is declared, and the body does not use it.',
    ]);
    expect(mistakesOf(await service.put(path, { parameters: null }))).toHaveLength(1);
    expect((await service.put(path, { parameters: [{ name: 'p', type: 'number' }] })).status).toBe(200);
    expectErrorBody(await service.put(`${scripts}/987654321`, declares('q')), 404);
  });

  test('not at all if neither is sent: the body is not read for a new name', async () => {
    const script = await makeScript(service, 'return true;');
    await spoil(script.key, 'return parameters.p;');
    expect((await service.put(`${scripts}/${script.key}`, { name: 'Other' })).status).toBe(200);
    expect((await service.put(`${scripts}/${script.key}`, { fields: null })).status).toBe(200);
    expect(mistakesOf(await service.put(`${scripts}/${script.key}`, { parameters: null }))).toHaveLength(1);
  });

  test('before the script is locked; if the body has changed since then, the request is rejected', async () => {
    const script = await makeScript(service, 'return parameters.p;', declares('p'));
    const lock = await holdRow(service, 'alert_script', script.key, 'flaghoist_service');
    const changing = service.put(`${scripts}/${script.key}`, declares('p'));
    await lock.waiters(1);
    await lock.letGo(
      `update flaghoist_service.alert_script set body = 'return parameters["p"];' where key = ${script.key}`,
    );
    const refused = await changing;
    expect(expectErrorBody(refused, 503).message).toContain('changed just now');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await service.put(`${scripts}/${script.key}`, declares('p'))).status).toBe(200);
  });

  test('with a stored body that no longer compiles: reported with line and column', async () => {
    const script = await makeScript(service, 'return true;');
    await spoil(script.key, 'return (;');
    expect(mistakesOf(await service.put(`${scripts}/${script.key}`, { parameters: null }))).toEqual([
      expect.stringMatching(/^body: Line 1, column 9/),
    ]);
  });
});

describe('a script that is used', () => {
  test('cannot be deleted until no subscription uses it', async () => {
    const script = await makeScript(service, 'return true;');
    const path = `${scripts}/${script.key}`;
    const uses = { url, dlpAlertScript: script.code };
    const [one, other] = [await subscribeTo(service, uses), await subscribeTo(service, uses)];
    expect(expectErrorBody(await service.delete(path), 409).message).toContain(`WebhookSubscription ${one.key} uses`);
    await service.put(`/ws/rest/WebhookSubscription/${one.key}`, { unsubscribed: true });
    expect(expectErrorBody(await service.delete(path), 409).message).toContain(`WebhookSubscription ${other.key} uses`);
    await service.put(`/ws/rest/WebhookSubscription/${other.key}`, { dlpAlertScript: null });
    expect((await service.delete(path)).status).toBe(204);
    const [shown] = (await service.get(`/ws/rest/WebhookSubscription?filter=key(EQ)${one.key}`)).body;
    expect(shown).toMatchObject({ state: 'UNSUBSCRIBED', dlpAlertScript: script.code });
  });
});

test('changes to a script are in the audit log', async () => {
  const script = await makeScript(service, 'return true;', { code: 'watched' });
  await service.put(`${scripts}/${script.key}`, { body: 'return false;' });
  await service.delete(`${scripts}/${script.key}`);
  const { body } = await service.get(`/ws/rest/AuditLog?filter=objectKey(EQ)${script.key}&sort=key(AS)`);
  expect(body).toMatchObject([
    { objectType: 'AlertScript', objectName: 'watched' },
    { changes: { body: ['return true;', 'return false;'] } },
    { objectType: 'AlertScript' },
  ]);
  expect(body).toHaveLength(3);
});

test('it is described, and cannot be subscribed to', async () => {
  const { body } = await service.get('/openapi.json');
  expect(Object.keys(body.paths['/ws/rest/AlertScript'])).toEqual(expect.arrayContaining(['get', 'post']));
  const answer = await service.post('/ws/rest/WebhookSubscription', { eventType: 'AlertScript.U', url });
  expect(mistakesOf(answer)[0]).toMatch(/^eventType: /);
});
