// The oldest of those under way is known at any time, in whatever order they end.

import { expect, test } from 'vitest';
import type { Connection } from '../../src/channels/http/connection-pool.ts';
import { Exchange } from '../../src/channels/http/exchange.ts';
import { ExchangesUnderWay } from '../../src/channels/http/exchanges-under-way.ts';

function begun(count: number): { underWay: ExchangesUnderWay; exchanges: Exchange[] } {
  const underWay = new ExchangesUnderWay();
  const end = { onAnswer: () => undefined, onBroken: () => undefined };
  const exchanges = Array.from({ length: count }, (_, n) => {
    const exchange = new Exchange({ method: 'POST', path: '/' }, {} as Connection, n, () => undefined, end);
    underWay.add(exchange);
    return exchange;
  });
  return { underWay, exchanges };
}

test.each([
  ['the oldest first', [0, 1, 2, 3], [1, 2, 3, undefined]],
  ['the newest first', [3, 2, 1, 0], [0, 0, 0, undefined]],
  ['from the middle', [1, 2, 0, 3], [0, 0, 3, undefined]],
])('where they end %s', (_, order, oldest) => {
  const { underWay, exchanges } = begun(4);
  const seen = order.map((n) => {
    underWay.delete(exchanges[n]!);
    return underWay.oldest?.deadlineMs;
  });
  expect(seen).toEqual(oldest);
  expect(underWay.size).toBe(0);
});

test('one that has ended twice, or never began, changes nothing', () => {
  const { underWay, exchanges } = begun(3);
  underWay.delete(exchanges[1]!);
  underWay.delete(exchanges[1]!);
  underWay.delete(begun(1).exchanges[0]!);
  expect([underWay.size, underWay.oldest?.deadlineMs]).toEqual([2, 0]);
  underWay.delete(exchanges[0]!);
  underWay.add(exchanges[1]!);
  expect([underWay.size, underWay.oldest?.deadlineMs]).toEqual([2, 2]);
});
