// The ledger of the failovers finds what it is there to find.

import { expect, test } from 'vitest';
import { balanceFailovers, type FailoverBooks } from '../../endurance/failover/failover-ledger.ts';

/** The event of each change has a number of its own. */
const id = (change: string) => `${change.charCodeAt(2)}-${change}`;
const arrival = (change: string, ...at: number[]) => [id(change), { change, at }] as const;

/** One change was accepted, one failed without a trace, and one was made although its response was lost. */
const balanced: FailoverBooks = {
  accepted: new Set(['1 A']),
  unknown: new Set(['1 B', '1 C']),
  events: new Set(['1 A', '1 C']),
  notifications: new Map([
    [id('1 A'), 'DELIVERED'],
    [id('1 C'), 'DELIVERED'],
  ]),
  received: new Map([arrival('1 A', 5_000), arrival('1 C', 10_100, 20_000)]),
  failovers: [{ killedAt: 10_000, backAt: 11_000 }],
};

test('what balances has no findings', () => {
  expect(balanceFailovers(balanced)).toEqual({ made: 1, repeats: 1, findings: [] });
});

const disturbed: [string, Partial<FailoverBooks>, string[]][] = [
  ['an accepted change that is not stored', { accepted: new Set(['1 A', '2 A']) }, ['lost change']],
  ['a stored change that nobody made', { unknown: new Set(['1 B']) }, ['wrong answer']],
  ['nothing', { accepted: new Set(), unknown: new Set(['1 A', '1 C']) }, ['lost change']],
  ['a change that did not arrive', { received: new Map([arrival('1 A', 1)]) }, ['notification missing']],
  [
    'a notification of a change that does not exist',
    { received: new Map([...balanced.received, arrival('1 B', 1)]) },
    ['notification too many', 'notification too many'],
  ],
  [
    'a notification that is still pending',
    { notifications: new Map([...balanced.notifications, [id('1 A'), 'PENDING']]) },
    ['notification left'],
  ],
  [
    'an event with two notifications in the database',
    { notifications: new Map([...balanced.notifications, [`${id('1 A')} again`, 'DELIVERED']]) },
    ['notification twice'],
  ],
  [
    'an event whose notification arrived under two ids',
    { received: new Map([...balanced.received, [`${id('1 A')} again`, { change: '1 A', at: [5_000] }]]) },
    ['notification too many', 'notification twice'],
  ],
  [
    'a repeat long after a failover',
    { received: new Map([arrival('1 A', 14_000, 15_000), arrival('1 C', 10_100)]) },
    ['notification twice'],
  ],
  [
    'a repeat long before one',
    { received: new Map([arrival('1 A', 7_000, 10_500), arrival('1 C', 10_100)]) },
    ['notification twice'],
  ],
];

test.each(disturbed)('%s is found', (_, books, kinds) => {
  const { findings } = balanceFailovers({ ...balanced, ...books });
  expect(findings.map(({ kind }) => kind)).toEqual(kinds);
});
