// Lists of texts and JSON in queries: filters on them, mistakes, and how they are shown. Also attributes of a later API
// version than the caller uses.

import fc from 'fast-check';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { narrowModel } from '../../src/model/narrow-model.ts';
import type { ObjectType } from '../../src/model/object-type.ts';
import { withIncluded } from '../../src/model/scopes.ts';
import { parseListRequest, parseReadRequest } from '../../src/query/list-request.ts';
import { compileList } from '../../src/query/list-statement.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { compileRead } from '../../src/query/read-statement.ts';
import { asTexts } from '../support/as-texts.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { errorOf, insert, links, runList } from './query-fixture.ts';

const { pool, url } = useTestDatabase({ isMigrated: false });

const model = buildModel({
  Shed: { attributes: { kinds: { kind: 'textList' } } },
  Crate: {
    attributes: {
      tags: { kind: 'textList' },
      marks: { kind: 'textList', values: ['DRY', 'COLD', 'FRAGILE'] },
      details: { kind: 'json' },
      shed: { kind: 'reference', to: 'Shed' },
      colour: { kind: 'text', since: '5.23' },
    },
  },
  Box: {
    attributes: {
      labels: { kind: 'textList' },
      crate: { kind: 'owner', to: 'Crate', collection: 'boxes', isRequired: true },
    },
  },
});
const crate = model.types.get('Crate')!;
const names = new Map<number, string>();

beforeAll(async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migrate(client, model);
  await client.end();
  const shed = await insert(pool, 'shed', { kinds: ['food', 'wine'] });
  const add = async (name: string, row: Record<string, unknown>) => {
    const key = await insert(pool, 'crate', row);
    names.set(key, name);
    return key;
  };
  const full = await add('full', { tags: ['a', 'b', 'a,b'], marks: ['DRY', 'COLD'], details: '{"a": [1.50]}', shed });
  await add('one', { tags: ['b'], marks: ['COLD'] });
  await add('empty', { tags: [], marks: [] });
  await add('none', {});
  await insert(pool, 'box', { crate: full, labels: ['x', 'y'] });
  await insert(pool, 'box', { crate: full, labels: ['z'] });
});

async function find(...filters: string[]): Promise<(string | undefined)[]> {
  const query = filters.map((text): QueryParameter => ['filter', text]);
  const { texts } = await runList(pool, compileList(parseListRequest(crate, query, {}), links));
  return texts.map((text) => names.get(JSON.parse(text).key));
}

function rejection(query: QueryParameter, type: ObjectType = crate): string {
  return errorOf(() => parseListRequest(type, [query], {})).message;
}

describe('a filter on a list of texts', () => {
  test.each([
    ['tags(EQ)b', ['full', 'one']],
    ['tags(EQ)a,b', ['full']],
    ['tags(EQ)B', []],
    ['tags(EQ)""', []],
    ['tags(NE)a', ['one', 'empty', 'none']],
    ['tags(NE)nothing', ['full', 'one', 'empty', 'none']],
    ['tags(IN)(a,c)', ['full']],
    ['tags(IN)("a,b",b)', ['full', 'one']],
    ['tags(NIN)(a,c)', ['one', 'empty', 'none']],
    ['tags(NIN)(a,b)', ['empty', 'none']],
    ['tags(NULL)', ['empty', 'none']],
    ['tags(NOTNULL)', ['full', 'one']],
    ['marks(EQ)COLD', ['full', 'one']],
    ['marks(NE)DRY', ['one', 'empty', 'none']],
    ['marks(IN)(DRY,FRAGILE)', ['full']],
    ['marks(NIN)(FRAGILE)', ['full', 'one', 'empty', 'none']],
    ['shed.kinds(EQ)wine', ['full']],
    ['shed.kinds(NE)wine', ['one', 'empty', 'none']],
    ['shed.kinds(NULL)', ['one', 'empty', 'none']],
    ['shed.kinds(NOTNULL)', ['full']],
    ['boxes.labels(EQ)z', ['full']],
    ['boxes.labels(NE)z', ['full']],
    ['boxes.labels(NULL)', []],
  ])('%s', async (filter, expected) => {
    expect(await find(filter)).toEqual(expected);
  });

  test('may test several at once, on the same element of a collection', async () => {
    expect(await find('tags(EQ)a', 'tags(EQ)b')).toEqual(['full']);
    expect(await find('tags(EQ)a', '(OR)', 'tags(NULL)')).toEqual(['full', 'empty', 'none']);
    expect(await find('boxes.labels(EQ)x', 'boxes.labels(EQ)y')).toEqual(['full']);
    expect(await find('boxes.labels(EQ)x', 'boxes.labels(EQ)z')).toEqual([]);
  });

  test('finds any text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), async (text) => {
        fc.pre(!/\0|\p{Surrogate}/u.test(text));
        const key = await insert(pool, 'crate', { tags: [text, `not ${text}`] });
        names.set(key, 'drawn');
        const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
        expect(await find(`tags(EQ)${quoted}`, `key(EQ)${key}`)).toEqual(['drawn']);
        expect(await find(`tags(NIN)(${quoted},x)`, `key(EQ)${key}`)).toEqual([]);
        await pool.query('delete from flaghoist.crate where key = $1', [key]);
      }),
      { numRuns: 100 },
    );
  });

  test.each(['GT', 'GTE', 'LT', 'LTE', 'LIKE', 'ILIKE', 'BETWEEN'])(
    'supports no order and no pattern: %s',
    (operator) => {
      const value = operator === 'BETWEEN' ? '(a,b)' : 'a';
      expect(rejection(['filter', `tags(${operator})${value}`])).toBe(
        `In filter "tags(${operator})${value}" at position 6: "tags" is a list of texts and takes EQ, NE, IN, NIN, ` +
          `NULL, NOTNULL, not ${operator}.`,
      );
    },
  );

  test('with declared values rejects others', () => {
    expect(rejection(['filter', 'marks(IN)(DRY,WET)'])).toContain(
      '"WET" is not a value of marks; expected one of DRY, COLD, FRAGILE.',
    );
  });
});

test.each(['EQ', 'NE', 'NULL', 'NOTNULL', 'LIKE'])('JSON cannot be filtered by: %s', (operator) => {
  const filter = `details(${operator})${operator.endsWith('NULL') ? '' : '1'}`;
  expect(rejection(['filter', filter])).toContain('"details" is JSON and cannot be filtered by.');
});

test('lists and JSON can be neither sorted by nor followed', () => {
  expect(rejection(['sort', 'tags(AS)'])).toContain('"tags" is a list of texts and cannot be sorted by.');
  expect(rejection(['sort', 'details(DSI)'])).toContain('"details" is JSON and cannot be sorted by.');
  expect(rejection(['filter', 'details.a(EQ)1'])).toContain('nothing can follow "details": it is JSON');
  expect(rejection(['filter', 'tags.a(EQ)1'])).toContain('nothing can follow "tags": it is a list of texts');
});

test('both are shown unchanged, by default and by fields', async () => {
  const key = [...names].find(([, name]) => name === 'full')![0];
  const read = async (fields?: string) => {
    const { rows } = await pool.query({
      text: compileRead(parseReadRequest(crate, [], { fields }), links),
      values: [key],
      types: asTexts,
    });
    return JSON.parse(rows[0].object);
  };
  const shown = { tags: ['a', 'b', 'a,b'], marks: ['DRY', 'COLD'], details: { a: [1.5] } };
  expect(await read()).toMatchObject(shown);
  expect(await read('{"tags":"*","details":"*","shed":{"kinds":"*"}}')).toMatchObject({
    tags: shown.tags,
    details: shown.details,
    shed: { kinds: ['food', 'wine'] },
  });
  expect(errorOf(() => parseReadRequest(crate, [], { fields: '{"details":{"a":"*"}}' })).message).toContain(
    '"details" takes "*", but it is an object.',
  );
});

describe('an attribute that came later than the version of the caller', () => {
  const old = narrowModel(model, { version: '5.22', scopes: withIncluded(['admin']) }).types.get('Crate')!;
  const later =
    'came with API version 5.23; this request uses an older one. Ask for it with the header API-Version: 5.23.';

  test('cannot be requested, and the message names the version that has it', () => {
    expect(rejection(['filter', 'colour(EQ)red'], old)).toContain(`at position 1: "colour" ${later}`);
    expect(rejection(['sort', 'colour(AS)'], old)).toContain(`"colour" ${later}`);
    expect(rejection(['fields', '{"colour":"*"}'], old)).toContain(`"colour" ${later}`);
    const box = narrowModel(model, { version: '5.22', scopes: withIncluded(['admin']) }).types.get('Box')!;
    expect(rejection(['filter', 'crate.colour(EQ)red'], box)).toContain(`at position 7: "colour" ${later}`);
    expect(rejection(['fields', '{"crate":{"colour":"*"}}'], box)).toContain(`"crate.colour" ${later}`);
  });

  test('can be requested from that version on', () => {
    for (const version of ['5.23', '5.24', '6.44']) {
      const type = narrowModel(model, { version, scopes: withIncluded(['admin']) }).types.get('Crate')!;
      expect(() => parseListRequest(type, [['filter', 'colour(EQ)red']], {})).not.toThrow();
    }
  });
});
