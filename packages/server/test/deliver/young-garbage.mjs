// Prints how many bytes each notification leaves for a full garbage collection, by part of its way. In a process of its
// own: what ran before decides where V8 allocates.

import { getHeapSpaceStatistics } from 'node:v8';
import { Exchange } from '../../dist/channels/http/exchange.js';
import { CapacityLeft, DirectDispatchBatch } from '../../dist/deliver/lanes/direct-dispatch.js';
import { ReadyLanes } from '../../dist/deliver/lanes/ready-lanes.js';
import { Recent } from '../../dist/recent.js';
import { bodyOf } from '../../dist/render/body.js';

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

function notification(n) {
  return {
    key: 10_000_000 + n,
    id: `${n}-${n}`,
    subscriptionKey: 1_000 + (n % 50),
    userKey: 7,
    objectType: 'Voyage',
    objectKey: n,
    eventType: 'U',
    subscribedObjectKey: n,
    occurredAt: '2026-11-15T00:00:00.000000Z',
    contentType: 'application/json',
    subject: null,
    body: bodyOf(`{"n":${n}}`),
    errorMessage: null,
    isOrdered: false,
  };
}

/** Some are under way at any time: those that a small collection finds may be left, and no others. */
function oneAfterTheOther(begin, end) {
  const begun = [];
  return (n) => {
    begun.push(begin(n));
    while (begun.length > 5 + (n % 10)) end(begun.shift());
  };
}

function dispatchedDirectly() {
  const lanes = new ReadyLanes(limits);
  return (n) => {
    const taken = [];
    const to = {
      workerId: 1,
      capacityLeft: () => new CapacityLeft(lanes),
      take: (notifications) => void taken.push(...notifications),
      promote: () => undefined,
    };
    const batch = new DirectDispatchBatch(to);
    batch.choose(notification(n), '2026-11-15T00:00:00');
    batch.dispatch('1763390000/1');
    return taken[0];
  };
}

function throughLanes() {
  const lanes = new ReadyLanes(limits);
  const next = dispatchedDirectly();
  const begin = (n) => {
    lanes.add(next(n));
    return lanes.next();
  };
  return oneAfterTheOther(begin, (each) => void lanes.end(each, 'quick'));
}

function throughExchanges() {
  const end = { onResponse: () => undefined, onBroken: () => undefined };
  const begin = (n) => {
    const request = { method: 'POST', path: '/', headers: ['a', String(n)], body: `${n}`.repeat(100) };
    const exchange = new Exchange(request, {}, () => undefined, end);
    exchange.deadline = setTimeout(() => exchange.close(), 10_000);
    return exchange;
  };
  return oneAfterTheOther(begin, (each) => clearTimeout(each.deadline));
}

function askedFor() {
  const remembered = new Recent(1_000);
  for (let n = 0; n < 100; n += 1) remembered.set(`name ${n}`, 'value');
  return (n) => void remembered.get(`name ${n % 100}`);
}

/** In bytes, for each. */
function leftBy(work) {
  globalThis.gc();
  const before = usedBytes();
  run(work);
  globalThis.gc({ type: 'minor' });
  globalThis.gc({ type: 'minor' });
  return (usedBytes() - before) / rounds;
}

function run(work) {
  for (let n = 0; n < rounds; n += 1) {
    work(n);
    if (n % 500 === 0) globalThis.gc({ type: 'minor' });
  }
}

function usedBytes() {
  return getHeapSpaceStatistics().reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

/** What it leaves is left each time; what Node does meanwhile is not. */
function measure(work) {
  run(work);
  return Math.min(leftBy(work), leftBy(work), leftBy(work));
}

process.stdout.write(
  JSON.stringify({
    'is handed on': measure(oneAfterTheOther(dispatchedDirectly(), () => undefined)),
    'waits in its lane': measure(throughLanes()),
    'is sent': measure(throughExchanges()),
    'asks what is remembered': measure(askedFor()),
  }),
);
process.exit(0);
