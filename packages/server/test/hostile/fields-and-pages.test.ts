// Field selections and pages that are none, or that ask for more than is given.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
let key: number;
beforeAll(async () => {
  ({ key } = await create(service, 'Vessel', { vesselName: 'Only One', dwtSummer: 10 }));
});

/** The query as name and value pairs, encoded. */
function ask(...pairs: [string, string][]): Promise<Answer> {
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return service.get(`/ws/rest/Vessel?${query}`);
}

describe('a field selection that is none is a 400', () => {
  const selections: [string, string][] = [
    ['no JSON', 'vesselName'],
    ['a list', '["vesselName"]'],
    ['a text', '"vesselName"'],
    ['null', 'null'],
    ['a number as pick', '{"vesselName":1}'],
    ['true as pick', '{"vesselName":true}'],
    ['SQL as pick', '{"vesselName":"* from pg_user"}'],
    ['SQL as name', '{"vesselName\\" from pg_user --":"*"}'],
    ['__proto__', '{"__proto__":"*"}'],
    ['constructor', '{"constructor":{"name":"*"}}'],
    ['toString', '{"toString":"*"}'],
    ['a scalar with something inside', '{"vesselName":{"length":"*"}}'],
    ['a name twice', '{"flag":"*","flag":"*"}'],
    ['65 levels', `${'{"remarks":'.repeat(65)}"*"${'}'.repeat(65)}`],
    ['2,000 names', `{${Array.from({ length: 2000 }, (_, index) => `"a${index}":"*"`).join(',')}}`],
    ['half a surrogate pair', '{"\\ud800":"*"}'],
    ['a NUL', '{"\\u0000":"*"}'],
  ];

  test.each(selections)('%s', async (_, fields) => {
    if (fields.length < 12_000) expectErrorBody(await ask(['fields', fields]), 400);
    expectErrorBody(await service.get(`/ws/rest/Vessel/${key}`, { fields }), fields.length < 16_000 ? 400 : 431);
  });

  test('with letters outside of Latin-1 in the header, however they are sent', async () => {
    const utf8 = Buffer.from('{"navn på skip 船":"*"}').toString('latin1');
    const body = expectErrorBody(await service.get(`/ws/rest/Vessel/${key}`, { fields: utf8 }), 400);
    expect(body.message).toContain('is not an attribute of Vessel');
    expectErrorBody(await ask(['fields', '{"navn på skip 船":"*"}']), 400);
  });

  test('given twice with different values', async () => {
    const fields = encodeURIComponent('{"flag":"*"}');
    expectErrorBody(
      await service.get(`/ws/rest/Vessel/${key}?fields=${fields}`, { fields: '{"vesselName":"*"}' }),
      400,
    );
  });
});

describe('pages', () => {
  test.each([
    '1e9',
    '1e3',
    '-1',
    '0',
    'abc',
    '',
    '2001',
    '1.5',
    '99999999999999999999',
    'Infinity',
    '١',
    '+1',
    ' 1',
    '1 ',
  ])('limit and pageNumber %j are a 400', async (text) => {
    expectErrorBody(await ask(['limit', text]), 400);
    if (text !== '2001') expectErrorBody(await ask(['limit', '10'], ['pageNumber', text]), 400);
  });

  test('a page beyond the end is empty, and one beyond every end is a 400', async () => {
    expect((await ask(['limit', '10'], ['pageNumber', '1000000000000'])).body).toEqual([]);
    expectErrorBody(await ask(['limit', '2000'], ['pageNumber', '9007199254740991']), 400);
  });

  test.each([
    'x',
    '=',
    '....',
    Buffer.from('["1"]').toString('base64url'),
    Buffer.from('null').toString('base64url'),
    Buffer.from('['.repeat(9000)).toString('base64url'),
    'A'.repeat(12_000),
    "' or 1=1 --",
  ])('an "after" that was made up is a 400: %.40s', async (after) => {
    expectErrorBody(await ask(['limit', '1'], ['after', after]), 400);
  });

  test('an "after" that was changed cannot carry anything into the statement', async () => {
    for (const name of ['Alpha', 'Beta']) await create(service, 'Vessel', { vesselName: name, dwtSummer: 5 });
    const tamper = async (sort: string, value: string) => {
      const { headers } = await ask(['limit', '1'], ['sort', sort]);
      const after = /[?&]after=([\w-]+)/.exec(headers.get('link') ?? '')?.[1] ?? '';
      const cursor = Buffer.from(after, 'base64url').toString();
      const values = JSON.parse(cursor.slice(12)) as string[];
      const changed = cursor.slice(0, 12) + JSON.stringify([value, ...values.slice(1)]);
      return ask(['limit', '1'], ['sort', sort], ['after', Buffer.from(changed).toString('base64url')]);
    };
    for (const value of ["x' or 1=1 --", '0); drop table flaghoist.vessel; --', '1e400', '\0', '\ud800', '']) {
      expectErrorBody(await tamper('dwtSummer(AS)', value), 400);
      expectErrorBody(await tamper('createdDate(AS)', value), 400);
      expectErrorBody(await tamper('key(AS)', value), 400);
    }
    expect((await tamper('vesselName(AS)', "B' or 1=1 --")).body[0].vesselName).toBe('Beta');
    expectErrorBody(await tamper('vesselName(AS)', '\0'), 400);
  });

  test(
    'more than 2,000 objects are never answered at once, and ' +
      'paging through them is stable while others come and go',
    async () => {
      const insert = (name: string, count: number) =>
        service.database.pool.query(
          'insert into flaghoist.vessel (vessel_name) select $1 || n from generate_series(1, $2::integer) n',
          [name, count],
        );
      await insert('Bulk ', 2100);
      expectErrorBody(await service.get('/ws/rest/Vessel?filter=vesselName(LIKE)Bulk%25'), 400);
      let next: string | undefined =
        `${service.url()}/ws/rest/Vessel?filter=vesselName(LIKE)Bulk%25&sort=vesselName(AS)&limit=500`;
      const seen: string[] = [];
      while (next !== undefined) {
        const answer = await service.get(next.slice(service.url().length));
        seen.push(...answer.body.map((vessel: { vesselName: string }) => vessel.vesselName));
        next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
        await insert('Bulk +', 10);
      }
      const stayed = seen.filter((name) => !name.startsWith('Bulk +'));
      expect([stayed.length, new Set(stayed).size]).toEqual([2100, 2100]);
    },
  );
});

describeUnharmed(service);
