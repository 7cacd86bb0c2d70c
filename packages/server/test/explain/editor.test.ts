// What an editor of expressions asks for: completions and mistakes, by the type that a subscription is for.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { type Answer, useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_EXPRESSION_BYTES_MAX: '4000' });
let owner: TestClient;
beforeAll(async () => {
  owner = await createClient(service, ['read', 'webhook']);
});

const ask = (action: string, body: unknown, headers: TestClient['headers'] = owner.headers): Promise<Answer> =>
  service.post(`/ws/rest/WebhookSubscription/${action}`, body, headers);

async function answered(action: string, body: unknown) {
  const answer = await ask(action, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

describe('completions', () => {
  test('continue the word before the offset', async () => {
    const expression = 'svcObject.getVes && true';
    const body = { objectType: 'Voyage', expression, offset: 16 };
    const { from, to, completions } = await answered('completions', body);
    expect([from, to]).toEqual([10, 16]);
    expect(completions).toEqual([
      {
        label: 'getVessel()',
        kind: 'attribute',
        detail: 'Vessel',
        insert: 'getVessel()',
        description: expect.any(String),
      },
    ]);
  });

  test('are of the end of the text by default, and know the hierarchy', async () => {
    const labels = async (expression: string) => {
      const { completions } = await answered('completions', { eventTypes: ['Voyage.U', 'Voyage.C'], expression });
      return completions.map(({ label }: { label: string }) => label);
    };
    expect(await labels('changedObject.getUnL')).toEqual([]);
    expect(await labels('changedObject.getRea')).toContain('getReasonForCall()');
    expect((await labels('voyageStatus = E'))[0]).toBe('EST');
    expect(await labels('svcObject.getFreight() ')).toContain('>=');
    expect(await labels('')).toContain('svcObject');
  });

  test('count UTF-16 code units', async () => {
    const expression = 'svcObject.getComments().equals("\u{1F6A2}") && svcObject.getVess';
    const { from, to } = await answered('completions', { objectType: 'Voyage', expression });
    expect(expression.slice(from, to)).toBe('getVess');
  });
});

describe('checkExpression', () => {
  test('finds each mistake with its place, and what corrects it', async () => {
    const expression = 'svcObject.getVoyageStats() == null\n&& svcObject.getEta() != null';
    const { errors } = await answered('checkExpression', { eventTypes: ['Voyage.*'], expression });
    expect(errors).toEqual([
      {
        message: 'Voyage has no getter getVoyageStats(). Did you mean "getVoyageStatus"?',
        from: 10,
        to: 24,
        line: 1,
        column: 11,
        suggestion: 'getVoyageStatus',
      },
      {
        message: expect.stringContaining('use changedObject.getEta()'),
        from: 48,
        to: 54,
        line: 2,
        column: 14,
        suggestion: null,
      },
    ]);
  });

  test('accepts what a subscription accepts, and reports the same mistakes', async () => {
    expect(await answered('checkExpression', { objectType: 'Voyage', expression: '.voyageStatus = NOM' })).toEqual({
      errors: [],
    });
    const expression = 'voyageStatus = NOMM && freight > "x"';
    const { errors } = await answered('checkExpression', { objectType: 'Voyage', expression });
    const saved = await service.post('/ws/rest/WebhookSubscription', {
      eventType: 'Voyage.U',
      url: 'https://agent.example/hook',
      expression,
    });
    const texts = errors.map(({ line, column, message }: { line: number; column: number; message: string }) => {
      return `Line ${line}, column ${column}: ${message}`;
    });
    expect(saved.body.violations.map(({ message }: { message: string }) => message)).toEqual(texts);
  });

  test('an expression that is too long is one mistake', async () => {
    const expression = `svcObject != null /* ${'x'.repeat(4000)} */`;
    const { errors } = await answered('checkExpression', { objectType: 'Voyage', expression });
    expect(errors).toEqual([
      {
        message: `The expression may have at most 4000 bytes; this has ${expression.length}.`,
        from: 0,
        to: expression.length,
        line: 1,
        column: 1,
        suggestion: null,
      },
    ]);
  });
});

describe('hostile texts are answered', () => {
  test.each([
    ['empty', ''],
    ['half a megabyte', 'svcObject.getVessel().'.repeat(24_000)],
    ['very deep', `svcObject != ${'('.repeat(3_000)}null`],
    ['unbalanced', '))))((((]]]]{{{{'],
    ['an open text', 'svcObject.getComments().equals("'],
    ['directions and combined characters', '\u202esvcObject\u0301.get\u{1F6A2}Vessel() == \u2028null'],
    ['a thousand mistakes', 'svcObject.x() + '.repeat(240)],
    ['names that objects inherit', 'svcObject.__proto__.constructor().'],
  ])('%s', async (_, expression) => {
    for (const action of ['completions', 'checkExpression']) {
      const answer = await ask(action, { objectType: 'Voyage', expression });
      expect(answer.status).toBe(200);
      expect(answer.text.length).toBeLessThan(100_000);
    }
    const { errors } = await answered('checkExpression', { objectType: 'Voyage', expression });
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(20);
    for (const { message, from, to } of errors) {
      expect(message).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u);
      expect([from <= to, to <= expression.length]).toEqual([true, true]);
    }
  });
});

describe('a request with mistakes is a 400 that says where', () => {
  const expression = 'svcObject != null';
  test.each<[object, string, RegExp]>([
    [{ expression }, 'objectType', /is required, or eventTypes/],
    [{ objectType: 'Voyge', expression }, 'objectType', /Did you mean "Voyage"/],
    [{ objectType: 'ApiUser', expression }, 'objectType', /no such object type/],
    [{ objectType: 'Remarks', expression }, 'objectType', /never notified/],
    [{ objectType: 'Voyage', eventTypes: ['Voyage.U'], expression }, 'objectType', /goes without eventTypes/],
    [{ eventTypes: ['Voyage.U', 'Vessel.U'], expression }, 'eventTypes', /of one object type/],
    [{ eventTypes: ['*.U'], expression }, 'eventTypes', /of one object type/],
    [{ eventTypes: ['Voyage.X'], expression }, 'eventTypes[0]', /has the operation/],
    [{ eventTypes: [], expression }, 'eventTypes', /at least 1 element/],
    [{ objectType: 'Voyage' }, 'expression', /is required/],
    [{ objectType: 'Voyage', expression: null }, 'expression', /cannot be null/],
    [{ objectType: 'Voyage', expression: 7 }, 'expression', /must be text/],
    [{ objectType: 'Voyage', expression, more: 1 }, 'more', /does not take it/],
  ])('%j', async (body, place, message) => {
    for (const action of ['completions', 'checkExpression']) {
      const { violations } = expectErrorBody(await ask(action, body), 400);
      expect(violations).toEqual([{ path: place, message: expect.stringMatching(message) }]);
    }
  });

  test.each([-1, 18, 1.5, 'x'])('the offset %j', async (offset) => {
    const { violations } = expectErrorBody(await ask('completions', { objectType: 'Voyage', expression, offset }), 400);
    expect(violations).toMatchObject([{ path: 'offset' }]);
  });
});

test('they need the scopes of subscriptions', async () => {
  const reader = await createClient(service, ['read']);
  for (const action of ['completions', 'checkExpression'])
    expectErrorBody(await ask(action, { objectType: 'Voyage', expression: '' }, reader.headers), 403);
});
