// The balance of a backlog can fail: each kind of loss, caused on purpose, is found.

import { expect, test } from 'vitest';
import { judgeBacklog, keepBooks, ratesByTenth } from '../../endurance/backlog/backlog-books.ts';
import type { Finding } from '../../endurance/finding.ts';

const plan = { count: 3, firstKey: 7, subscribed: [], template: {} as never };
const all = ['7-7', '8-8', '9-9'];
const outcomes = { delivered: 3, other: 0, pending: 0, claimed: 0 };
const times = { ready: 2, firstReceived: 3, lastReceived: 20, recorded: 21 };
const memory = { atTenthMb: 150, atEndMb: 180 };

test.each<[string, { ids?: string[]; outcomes?: object; times?: object; memory?: object }, Finding['kind'][]]>([
  ['all is well', {}, []],
  ['one has not arrived', { ids: ['7-7', '9-9'] }, ['notification missing']],
  ['one came twice', { ids: [...all, '8-8'] }, ['notification twice']],
  [
    'one came twice in place of another',
    { ids: ['7-7', '8-8', '8-8'] },
    ['notification missing', 'notification twice'],
  ],
  ['one that nobody planned', { ids: [...all, '1-1'] }, ['notification too many']],
  [
    'one is not recorded',
    { outcomes: { delivered: 2, other: 1, pending: 1 } },
    ['wrong attempts', 'notification left'],
  ],
  ['one is recorded after two attempts', { outcomes: { delivered: 2, other: 1 } }, ['wrong attempts']],
  ['one has no record', { outcomes: { delivered: 2 } }, ['wrong attempts']],
  ['ready too late', { times: { ready: 31 } }, ['too late']],
  ['the first too late', { times: { firstReceived: 7.1 } }, ['too late']],
  ['none at all', { ids: [], times: { firstReceived: Number.NaN } }, ['notification missing', 'too late']],
  ['memory grows with the work', { memory: { atEndMb: 251 } }, ['too much memory']],
  ['memory is not known', { memory: { atTenthMb: undefined, atEndMb: undefined } }, []],
])('FLT-20: %s', (_, changed, kinds) => {
  const books = keepBooks(plan, { ids: changed.ids ?? all }, { ...outcomes, ...changed.outcomes });
  const findings = judgeBacklog(books, { ...times, ...changed.times }, { ...memory, ...changed.memory });
  expect(findings.map(({ kind }) => kind)).toEqual(kinds);
});

test('the rate is computed for each tenth', () => {
  const atMs = Array.from({ length: 101 }, (_, n) => (n <= 50 ? n * 10 : 500 + (n - 50) * 20));
  expect(ratesByTenth(atMs)).toEqual([100, 100, 100, 100, 100, 50, 50, 50, 50, 50]);
});
