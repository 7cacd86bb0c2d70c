// Migration of defaults: those that the model adds, changes or drops, and no others.

import { expect, test } from 'vitest';
import { ship, shipWith, useMigrations } from './migrations-fixture.ts';

const { pool, migrateTo } = useMigrations();

const defaults = {
  label: { kind: 'text', maxLength: 20, default: "it's \\ 5" },
  grade: { kind: 'code', values: ['A', 'B'], default: 'A' },
  count: { kind: 'integer', default: -5 },
  share: { kind: 'decimal', default: 1.25 },
  isOpen: { kind: 'boolean', default: true },
};

async function shipDefaults(): Promise<unknown> {
  const { rows } = await pool.query(
    'insert into flaghoist.ship default values returning label, grade, count, share::float, is_open',
  );
  return rows[0];
}

test('only defaults that the model adds, changes or drops are changed in the tables', async () => {
  const plain = Object.fromEntries(
    Object.entries(defaults).map(([name, { default: _, ...details }]) => [name, { ...details, isRequired: true }]),
  );
  const changed = {
    ...defaults,
    flag: { kind: 'text' },
    label: { ...defaults.label, default: 'x' },
    isOpen: { kind: 'boolean', default: false },
  };
  await migrateTo(shipWith(plain));
  const alter = (column: string, what: string) => `alter table flaghoist."ship" alter column "${column}" ${what}`;
  expect(await migrateTo(shipWith(defaults))).toEqual([
    alter('label', "set default  E'it''s \\\\ 5'"),
    alter('grade', "set default 'A'"),
    alter('count', "set default '-5'"),
    alter('share', "set default '1.25'"),
    alter('is_open', "set default 'true'"),
    'triggers created again',
  ]);
  expect(await shipDefaults()).toEqual({ label: "it's \\ 5", grade: 'A', count: -5, share: 1.25, is_open: true });
  expect(await migrateTo(shipWith({ ...defaults, flag: { kind: 'text' } }))).toEqual([
    'alter table flaghoist."ship" add column "flag" text',
    'triggers created again',
  ]);
  expect(await migrateTo(shipWith(changed))).toEqual([
    alter('label', "set default 'x'"),
    alter('is_open', "set default 'false'"),
    'triggers created again',
  ]);
  expect(await shipDefaults()).toMatchObject({ label: 'x', is_open: false });
  expect(await migrateTo(shipWith({ ...changed, label: plain.label }))).toEqual([
    alter('label', 'drop default'),
    'triggers created again',
  ]);
  await expect(shipDefaults()).rejects.toThrow(/null value in column "label"/);
});

test('existing objects get the default of a new attribute', async () => {
  await migrateTo(ship);
  await pool.query("insert into flaghoist.ship (name) values ('old')");
  await migrateTo(shipWith(defaults));
  const { rows } = await pool.query('select label, grade, count, share::float, is_open from flaghoist.ship');
  expect(rows).toEqual([{ label: "it's \\ 5", grade: 'A', count: -5, share: 1.25, is_open: true }]);
});

test('a number with its own default cannot become one that the service assigns', async () => {
  await migrateTo(shipWith({ number: { kind: 'integer', default: 5 } }));
  await expect(migrateTo(shipWith({ number: { kind: 'integer', isAssigned: true } }))).rejects.toThrow(
    /Ship\.number is declared as isAssigned/,
  );
});
