// Which consumer of each stream is next: one that does not read or acknowledge delays no other.

import { expect, test } from 'vitest';
import type { Consumer } from '../../src/deliver/stream/consumer.ts';
import { type Found, StreamSchedule } from '../../src/deliver/stream/stream-schedule.ts';

let lastLeaseId = 0;

interface FakeConsumer extends Consumer {
  /** How many notifications it got in each response. */
  readonly taken: number[];
}

function consumer(subscriptionKey: number, more: Partial<Consumer> = {}): FakeConsumer {
  lastLeaseId += 1;
  const taken: number[] = [];
  return {
    ...{ subscriptionKey, leaseId: lastLeaseId, unacknowledgedMax: 100, acknowledgeSeconds: 30, taken },
    ...{ isReady: true, isOpen: true, unreadBytes: 0, ...more },
    take: (notifications) => void taken.push(notifications.length),
    beat: () => undefined,
    end: () => undefined,
  };
}

function schedule(...consumers: Consumer[]): StreamSchedule {
  const made = new StreamSchedule();
  for (const each of consumers) {
    made.add(each);
    made.wake(each.subscriptionKey);
  }
  return made;
}

const unlimited = () => Number.MAX_SAFE_INTEGER;
const nextIn = (made: StreamSchedule, allowed: (key: number) => number | undefined = unlimited) =>
  made.nextLeases(allowed).map(({ request }) => request);

const nothing: Found = { found: 0, leased: 0, capacity: 100, ranOut: new Set() };

test('clients that do not read stop their own stream and no other', () => {
  const stuck = Array.from({ length: 100 }, () => consumer(1, { isReady: false, unreadBytes: 900_000 }));
  const [reading, other] = [consumer(1), consumer(2)];
  const made = schedule(...stuck, reading, other);
  expect(nextIn(made)).toEqual([other]);
  for (const each of stuck) made.remove(each);
  expect(nextIn(made)).toEqual([reading, other]);
});

test('a stream whose clients have too much to read still serves pulls', () => {
  const stuck = Array.from({ length: 100 }, () => consumer(1, { isReady: false, unreadBytes: 900_000 }));
  const pull = consumer(1, { unreadBytes: undefined });
  expect(nextIn(schedule(...stuck, consumer(1), pull))).toEqual([pull]);
});

test('many streams that are not read share the memory: each has an equal part', () => {
  const streams = Array.from({ length: 64 }, (_, n) => consumer(n + 1, { unreadBytes: n < 32 ? 500_000 : 1_500_000 }));
  expect(nextIn(schedule(...streams)).map(({ subscriptionKey }) => subscriptionKey)).toEqual(
    Array.from({ length: 32 }, (_, n) => n + 1),
  );
});

test('a consumer whose leases ran out is the last, until it acknowledges', () => {
  const [hung, one, other] = [consumer(1), consumer(1), consumer(1)];
  const made = schedule(hung, one, other);
  made.note(nextIn(made)[0]!, { found: 1, leased: 1, capacity: 100, ranOut: new Set([hung.leaseId]) });
  const served: Consumer[] = [];
  for (let n = 0; n < 4; n += 1) {
    made.wake(1);
    const [next] = nextIn(made);
    served.push(next!);
    made.note(next!, { ...nothing, found: 1, leased: 1 });
  }
  expect(served).toEqual([one, other, one, other]);
  made.noteAcknowledged(1, [hung.leaseId]);
  made.wake(1);
  expect(nextIn(made)).toEqual([hung]);
});

test('a consumer whose leases ran out gets what no other can take', () => {
  const [hung, full] = [consumer(1), consumer(1)];
  const made = schedule(hung, full);
  made.note(nextIn(made)[0]!, { found: 1, leased: 1, capacity: 100, ranOut: new Set([hung.leaseId]) });
  made.wake(1);
  expect(nextIn(made)).toEqual([full]);
  made.note(full, { ...nothing, capacity: 0 });
  expect(nextIn(made)).toEqual([hung]);
});

test('when nothing is left, all pulls that do not wait have their response', () => {
  const [stream, pull] = [consumer(1), consumer(1, { unreadBytes: undefined })];
  const made = schedule(stream, pull);
  made.note(nextIn(made)[0]!, nothing);
  expect(pull.taken).toEqual([0]);
  expect(nextIn(made)).toEqual([]);
});

test('a pull has no response while slots of the rate are being reserved, and an empty one if none is free', () => {
  const pull = consumer(1, { unreadBytes: undefined });
  const made = schedule(pull);
  expect(nextIn(made, () => undefined)).toEqual([]);
  expect(pull.taken).toEqual([]);
  made.wake(1);
  expect(nextIn(made, () => 0)).toEqual([]);
  expect(pull.taken).toEqual([0]);
});

test('a pull that leaves while a statement runs leaves no stream behind', () => {
  const [first, second] = [consumer(1), consumer(1)];
  const made = schedule(first, second);
  const [served] = nextIn(made);
  made.remove(served!);
  const remaining = served === first ? second : first;
  remaining.take = () => void made.remove(remaining);
  made.note(served!, nothing);
  expect(made.keys()).toEqual([]);
});
