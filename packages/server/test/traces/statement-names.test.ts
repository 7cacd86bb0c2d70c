// The names of statements in traces: what they do and to which table, and nothing of what they contain.

import { expect, test } from 'vitest';
import { nameStatements } from '../../src/database/trace-statements.ts';

test.each([
  [['select v.key from flaghoist.voyage v where v.key = $1'], 'SELECT flaghoist.voyage'],
  [
    ['with gone as (delete from flaghoist_system.pending where key = $1 returning key) select 1'],
    'DELETE flaghoist_system.pending',
  ],
  [
    ['insert into "flaghoist"."port" (key) select 1 from flaghoist.voyage on conflict do update set a = 1'],
    'INSERT flaghoist.port',
  ],
  [['select 1 from flaghoist.port for update skip locked'], 'SELECT flaghoist.port'],
  [['select 1'], 'SELECT'],
  [
    ['begin', "select set_config('a', $1, true)", 'update flaghoist.voyage set a = $1', 'commit'],
    'UPDATE flaghoist.voyage',
  ],
  [['begin', 'select 1', 'commit'], 'COMMIT'],
  [["select 'a secret' as a, * from elsewhere"], 'SELECT'],
  [
    ['voyage', 'port', 'vessel', 'cargo'].map((table) => `insert into flaghoist.${table} values ($1)`),
    'INSERT flaghoist.voyage; INSERT flaghoist.port; INSERT flaghoist.vessel; …',
  ],
])('%j is %s', (texts, name) => {
  expect(nameStatements(texts)).toBe(name);
});
