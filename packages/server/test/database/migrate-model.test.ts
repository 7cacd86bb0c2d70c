// Migration to a changed model: additive changes are applied, and a change that would lose data is rejected with
// advice.

import { expect, test } from 'vitest';
import type { Declarations } from '../../src/model/build-model.ts';
import { ship, shipWith, useMigrations } from './migrations-fixture.ts';

const { pool, migrateTo } = useMigrations();

test('new types, attributes and values and longer texts are applied, and the data is kept', async () => {
  await migrateTo(ship);
  await pool.query("insert into flaghoist.ship (name, state) values ('old', 'A')");
  await migrateTo({
    ...shipWith({
      name: { kind: 'text', maxLength: 20 },
      state: { kind: 'code', values: ['A', 'B', 'C'] },
      flag: { kind: 'text' },
    }),
    Crew: {
      attributes: { ship: { kind: 'owner', to: 'Ship', collection: 'crew', isRequired: true }, rank: { kind: 'text' } },
    },
  });
  await pool.query("insert into flaghoist.ship (name, state, flag) values ('a longer name', 'C', 'NO')");
  await pool.query('insert into flaghoist.crew (ship) select key from flaghoist.ship');
  const { rows } = await pool.query('select name, state, flag from flaghoist.ship order by key');
  expect(rows).toEqual([
    { name: 'old', state: 'A', flag: null },
    { name: 'a longer name', state: 'C', flag: 'NO' },
  ]);
});

test('events of a new attribute are captured after the migration', async () => {
  await migrateTo(ship);
  await pool.query("insert into flaghoist.ship (name) values ('x')");
  await migrateTo(shipWith({ flag: { kind: 'text' } }));
  await pool.query("update flaghoist.ship set flag = 'NO'");
  const { rows } = await pool.query(
    "select new_row ->> 'flag' as flag from flaghoist_system.event where operation = 'U'",
  );
  expect(rows).toEqual([{ flag: 'NO' }]);
});

test.each([
  [
    'a removed attribute',
    shipWith({ size: null }),
    /has a column "size" that the model no longer has.*DROP COLUMN "size"/s,
  ],
  [
    'a removed type',
    { Boat: { attributes: {} } } as Declarations,
    /table flaghoist\."ship" for a type that the model no longer has/,
  ],
  [
    'another kind',
    shipWith({ size: { kind: 'integer' } }),
    /Ship\.size is stored as numeric\(24,8\); the model now declares integer/,
  ],
  ['a shorter text', shipWith({ name: { kind: 'text', maxLength: 5 } }), /could lose data/],
  [
    'a new required attribute',
    shipWith({ flag: { kind: 'text', isRequired: true } }),
    /Ship\.flag is required, but Ship already has objects without it/,
  ],
  [
    'removing a value that is in use',
    shipWith({ state: { kind: 'code', values: ['B'] } }),
    /does not fit the data that is stored.*ship__state__values/s,
  ],
  [
    'requiring an attribute that some objects lack',
    shipWith({ size: { kind: 'decimal', isRequired: true } }),
    /does not fit the data that is stored.*null values/s,
  ],
])('%s is rejected with advice, and nothing is changed', async (_, declarations, expected) => {
  await migrateTo(ship);
  await pool.query("insert into flaghoist.ship (name, state) values ('x', 'A')");
  await expect(migrateTo(declarations)).rejects.toThrow(expected);
  expect(await migrateTo(ship)).toEqual([]);
});

test('lists and JSON are stored as such; unused values of a list can be removed, and new ones added', async () => {
  const lists = (values: string[]) =>
    shipWith({
      roles: { kind: 'textList', values },
      tags: { kind: 'textList' },
      details: { kind: 'json' },
      secret: { kind: 'text', isHidden: true },
      shown: { kind: 'text', isShownOnce: true },
    });
  await migrateTo(lists(['A', 'B']));
  await pool.query(`insert into flaghoist.ship (roles, tags, details, secret) values ('{A}', '{x,y}', '{"a":1}', 's')`);
  await expect(pool.query("update flaghoist.ship set roles = '{A,C}'")).rejects.toThrow(/ship__roles__values/);
  await migrateTo(lists(['A', 'C']));
  await pool.query("update flaghoist.ship set roles = '{A,C}'");
  await expect(migrateTo(lists(['A']))).rejects.toThrow(/does not fit the data that is stored.*ship__roles__values/s);
  const { rows } = await pool.query('select * from flaghoist.ship');
  expect(rows).toMatchObject([{ roles: ['A', 'C'], tags: ['x', 'y'], details: { a: 1 }, secret: 's' }]);
  expect(Object.keys(rows[0])).not.toContain('shown');
});

test('constraints that the model no longer declares are dropped', async () => {
  const crew = (options: object, attributes: object = {}) =>
    ({
      Crew: {
        attributes: {
          ship: { kind: 'owner', to: 'Ship', collection: 'crew', isRequired: true, ...options },
          ...attributes,
        },
      },
    }) as Declarations;
  await migrateTo({
    ...shipWith({
      name: { kind: 'text', maxLength: 10, isUnique: true },
      number: { kind: 'integer', isAssigned: true },
    }),
    ...crew({ minItems: 1 }, { place: { kind: 'integer', isSequence: true } }),
  });
  await expect(pool.query("insert into flaghoist.ship (name) values ('x')")).rejects.toThrow(/at least 1 of crew/);
  await migrateTo({
    ...shipWith({ state: { kind: 'text' }, number: { kind: 'integer' } }),
    ...crew({ isRequired: false }, { place: { kind: 'integer' } }),
  });
  await pool.query("insert into flaghoist.ship (name, state) values ('x', 'free'), ('x', 'text')");
  await pool.query('insert into flaghoist.crew (ship) select key from flaghoist.ship');
  await pool.query('delete from flaghoist.ship');
  const { rows } = await pool.query('select ship, place from flaghoist.crew');
  expect(rows).toEqual([
    { ship: null, place: null },
    { ship: null, place: null },
  ]);
});

test('deleting an owner that has become a plain reference no longer deletes its sub-objects', async () => {
  const crew = (kind: object) =>
    ({ ...ship, Crew: { attributes: { ship: { to: 'Ship', ...kind } } } }) as unknown as Declarations;
  await migrateTo(crew({ kind: 'owner', collection: 'crew', isRequired: true }));
  await migrateTo(crew({ kind: 'reference' }));
  await pool.query("with s as (insert into flaghoist.ship (name) values ('x') returning key) select key from s");
  await pool.query('insert into flaghoist.crew (ship) select key from flaghoist.ship');
  await expect(pool.query('delete from flaghoist.ship')).rejects.toThrow(/crew__ship__fkey/);
});

test("an operator's own triggers and constraints are kept", async () => {
  await migrateTo(ship);
  await pool.query(`create function public.own() returns trigger language plpgsql as 'begin return new; end'`);
  await pool.query('create trigger own before insert on flaghoist.ship for each row execute function public.own()');
  await pool.query('alter table flaghoist.ship add constraint own check (size > 0)');
  await migrateTo(shipWith({ flag: { kind: 'text' } }));
  const { rows } = await pool.query(
    "select (select count(*)::int from pg_trigger where tgname = 'own') as triggers, (select count(*)::int from " +
      "pg_constraint where conname = 'own') as constraints",
  );
  expect(rows).toEqual([{ triggers: 1, constraints: 1 }]);
  await pool.query('drop function public.own() cascade');
});

test('attributes may have the same names as variables of the triggers', async () => {
  const names = ['n', 'o', 'r', 's', 'e', 'k', 'roots', 'now', 'new', 'old', 'newRow', 'keys'];
  await migrateTo({ Ship: { attributes: Object.fromEntries(names.map((name) => [name, { kind: 'text' }])) } });
  await pool.query("insert into flaghoist.ship (n, o) values ('a', 'b')");
  await pool.query("update flaghoist.ship set n = 'c'");
  await pool.query('delete from flaghoist.ship');
  const { rows } = await pool.query(
    "select operation, old_row ->> 'n' as before, new_row ->> 'n' as after from flaghoist_system.event order by id",
  );
  expect(rows).toEqual([
    { operation: 'C', before: null, after: 'a' },
    { operation: 'U', before: 'a', after: 'c' },
    { operation: 'D', before: 'c', after: null },
  ]);
});

test('an owner may have two collections with a minimum size, and an object key may be omitted', async () => {
  const of = (collection: string) => ({
    attributes: { ship: { kind: 'owner', to: 'Ship', collection, minItems: 1, isRequired: true } },
  });
  await migrateTo({
    Ship: { attributes: { about: { kind: 'objectKey' } } },
    Mast: of('masts'),
    Sail: of('sails'),
  } as Declarations);
  await expect(pool.query('insert into flaghoist.ship default values')).rejects.toThrow(/at least 1 of masts/);
  await pool.query(
    'begin; insert into flaghoist.ship default values; insert into flaghoist.mast (ship) select key from ' +
      'flaghoist.ship; insert into flaghoist.sail (ship) select key from flaghoist.ship; commit',
  );
});

test('names of any allowed length fit, and still do when the model changes', async () => {
  const long = (first: string) => first + 'Ab'.repeat(19);
  const named = (values: string[]): Declarations => ({
    [long('T')]: {
      attributes: { [long('c')]: { kind: 'code', values }, [long('n')]: { kind: 'integer', isAssigned: true } },
    },
    [long('U')]: {
      attributes: {
        [long('o')]: { kind: 'owner', to: long('T'), collection: long('l'), minItems: 1, isRequired: true },
        [long('s')]: { kind: 'integer', isSequence: true },
      },
    },
  });
  await migrateTo(named(['A']));
  await migrateTo(named(['A', 'B']));
  const { rows } = await pool.query(
    "select count(*)::int as n from pg_constraint where connamespace = 'flaghoist'::regnamespace and contype = 'f'",
  );
  expect(rows).toEqual([{ n: 1 }]);
});
