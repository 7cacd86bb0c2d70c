// Lanes with something in them, for tests.

import type { ReceiverState } from '../../src/deliver/lanes/lane.ts';
import type { LaneLimits } from '../../src/deliver/lanes/lane-pools.ts';
import { ReadyLanes } from '../../src/deliver/lanes/ready-lanes.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';

export const limits: LaneLimits = {
  inFlightMax: 100,
  inFlightPerLane: 3,
  readyPerLane: 50,
  readyMax: 500,
  bytesMax: 10_000,
  connectionsMax: 80,
  areConnectionsScarce: () => false,
};

let keys = 0;

export function ready(subscriptionKey: number, attempts = 0, body = 'x'): ReadyNotification {
  keys += 1;
  return {
    key: keys,
    createdDate: '2026-11-15T00:00:00',
    subscriptionKey,
    attempts,
    resendJob: null,
    replay: undefined,
    orderedObject: null,
    head: `1-${keys} Voyage 1 U 1 2026-11-15T00:00:00 application/json`,
    subject: null,
    body: Buffer.from(body),
  };
}

export function takeAll(lanes: ReadyLanes): ReadyNotification[] {
  const taken: ReadyNotification[] = [];
  for (let next = lanes.next(); next; next = lanes.next()) taken.push(next);
  return taken;
}

export function fill(lanes: ReadyLanes, subscriptionKey: number, count: number, attempts = 0): void {
  for (let index = 0; index < count; index += 1) lanes.add(ready(subscriptionKey, attempts));
}

/** Lanes from 1 on, whose receivers are in this state. */
export function shown(receiver: ReceiverState, count: number, some: Partial<LaneLimits> = {}): ReadyLanes {
  const lanes = new ReadyLanes({ ...limits, ...some });
  for (let key = 1; key <= count; key += 1) {
    fill(lanes, key, 1);
    lanes.end(lanes.next()!, receiver);
  }
  return lanes;
}

/** Pseudo-random integers below `below`, the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

export const subscriptionsOf = (taken: readonly ReadyNotification[]) =>
  taken.map(({ subscriptionKey }) => subscriptionKey);

/** How many more notifications of a subscription can be taken, by a claim or by direct dispatch. */
export function capacityOf(lanes: ReadyLanes, key: number): number {
  const { named, others } = lanes.claimCapacities(1);
  return Math.max(lanes.directCapacity(key).inLane, named.get(key) ?? others);
}
