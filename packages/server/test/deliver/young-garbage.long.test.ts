// The garbage of a notification is collected by the next minor collection. What survives waits for a major one, which
// pauses the process: long-lived references or hidden classes would leave hundreds of bytes per notification.

import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import type { Connection } from '../../src/channels/http/connection-pool.ts';
import { Exchange } from '../../src/channels/http/exchange.ts';
import { CapacityLeft, DirectDispatchBatch } from '../../src/deliver/lanes/direct-dispatch.ts';
import { ReadyLanes } from '../../src/deliver/lanes/ready-lanes.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { Recent } from '../../src/recent.ts';
import { collector } from '../support/heap-used.ts';

const collect = collector();

const rounds = 10_000;
const limits = {
  inFlightMax: 256,
  inFlightPerLane: 10,
  readyPerLane: 200,
  readyMax: 2_000,
  bytesMax: 16_000_000,
  connectionsMax: 512,
  areConnectionsScarce: () => false,
};

function notification(n: number) {
  return {
    key: 10_000_000 + n,
    id: `${n}-${n}`,
    subscriptionKey: 1_000 + (n % 50),
    userKey: 7,
    objectType: 'Voyage',
    objectKey: n,
    eventType: 'U' as const,
    subscribedObjectKey: n,
    occurredAt: '2026-11-15T00:00:00.000000Z',
    contentType: 'application/json',
    subject: null,
    body: `{"n":${n}}`,
    errorMessage: null,
    isOrdered: false,
  };
}

/** Some are under way at any time: those that a small collection finds may be left, and no others. */
function oneAfterTheOther<T>(begin: (n: number) => T, end: (begun: T) => void): (n: number) => void {
  const begun: T[] = [];
  return (n) => {
    begun.push(begin(n));
    while (begun.length > 5 + (n % 10)) end(begun.shift()!);
  };
}

function dispatchedDirectly(): (n: number) => ReadyNotification {
  const lanes = new ReadyLanes(limits);
  return (n) => {
    const taken: ReadyNotification[] = [];
    const to = {
      workerId: 1,
      capacityLeft: () => new CapacityLeft(lanes),
      take: (notifications: readonly ReadyNotification[]) => void taken.push(...notifications),
      promote: () => undefined,
    };
    const handing = new DirectDispatchBatch(to);
    handing.choose(notification(n), '2026-11-15T00:00:00');
    handing.dispatch('1763390000/1');
    return taken[0]!;
  };
}

function throughLanes(): (n: number) => void {
  const lanes = new ReadyLanes(limits);
  const next = dispatchedDirectly();
  const begin = (n: number) => {
    lanes.add(next(n));
    return lanes.next()!;
  };
  return oneAfterTheOther(begin, (each) => void lanes.end(each, 'quick'));
}

function throughExchanges(): (n: number) => void {
  const end = { onResponse: () => undefined, onBroken: () => undefined };
  const begin = (n: number) => {
    const request = { method: 'POST' as const, path: '/', headers: ['a', String(n)], body: `${n}`.repeat(100) };
    const exchange = new Exchange(request, {} as Connection, () => undefined, end);
    exchange.deadline = setTimeout(() => exchange.close(), 10_000);
    return exchange;
  };
  return oneAfterTheOther(begin, (each) => clearTimeout(each.deadline));
}

function askedFor(): (n: number) => void {
  const remembered = new Recent<string, string>(1_000);
  for (let n = 0; n < 100; n += 1) remembered.set(`name ${n}`, 'value');
  return (n) => void remembered.get(`name ${n % 100}`);
}

test.each<[string, bytes: number, () => (n: number) => unknown]>([
  ['is handed on', 400, () => oneAfterTheOther(dispatchedDirectly(), () => undefined)],
  ['waits in its lane', 400, throughLanes],
  ['is sent', 150, throughExchanges],
  ['asks what is remembered', 20, askedFor],
])('a notification that %s leaves no more than %d bytes for a full garbage collection', (_, bytes, part) => {
  const work = part();
  run(work);
  // What it leaves is left each time; what others in this process do meanwhile is not.
  expect(Math.min(leftBy(work), leftBy(work), leftBy(work))).toBeLessThan(bytes);
});

/** In bytes, for each. */
function leftBy(work: (n: number) => unknown): number {
  collect();
  const before = usedBytes();
  run(work);
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return (usedBytes() - before) / rounds;
}

function run(work: (n: number) => unknown): void {
  for (let n = 0; n < rounds; n += 1) {
    work(n);
    if (n % 500 === 0) collect({ type: 'minor' });
  }
}

function usedBytes(): number {
  return getHeapSpaceStatistics().reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
