// The service has a small heap, and must stay within 512 MB while a crowd reads large lists and every change of a
// vessel matches many more subscriptions. Node limits the heap (--max-old-space-size); total memory is judged.

import type { Hardship, Stage } from './hardship.ts';
import { RepeatingCalls } from './repeating-calls.ts';

const heapMb = 300;
const memoryMb = 512;
const readers = 8;
const [voyages, callsEach, subscriptions] = [1_000, 10, 10];
/** Some megabytes per response. */
const largeList = `Voyage?limit=${voyages}&fields=${encodeURIComponent('{"vessel":"*","portCalls":"*"}')}`;

export const littleMemory: Hardship = {
  name: 'little-memory',
  meaning: [
    `Node runs with --max-old-space-size=${heapMb}.`,
    `${readers} clients read lists of ${voyages} voyages with ${callsEach} port calls each,`,
    `and ${subscriptions} more subscriptions hear of every vessel.`,
  ].join(' '),
  // 413 and 503: the memory for responses is limited.
  allowed: [413, 503],
  shows: [{ asker: 'crowd', status: 200 }],
  memoryMbMax: memoryMb,
  prepare() {
    let crowd: RepeatingCalls | undefined;
    return {
      kind: 'means',
      database: 'separate',
      nodeArgs: [`--max-old-space-size=${heapMb}`],
      furnish,
      begin(stage) {
        const call = () => stage.crowd.ask({ method: 'GET', path: largeList });
        crowd = new RepeatingCalls({ count: readers, pauseMs: 50, call });
      },
      async end() {
        await crowd?.stop();
      },
    };
  },
};

async function furnish({ crowd, receiverOrigin, vessel }: Stage): Promise<void> {
  // No such country exists, so it cannot collide with the reference data.
  const unLoCode = 'ZZEND';
  await crowd.create('Port', { unLoCode, portName: 'Endurance' });
  const portCalls = Array.from({ length: callsEach }, () => ({ port: unLoCode, reasonForCall: 'L' }));
  const batch = Array.from({ length: voyages / 10 }, () => ({ voyageStatus: 'NOM', vessel, portCalls }));
  for (let count = 0; count < 10; count += 1) await crowd.create('Voyage', batch);
  const url = `${receiverOrigin}/extra`;
  for (let count = 0; count < subscriptions; count += 1)
    await crowd.create('WebhookSubscription', { eventType: `Vessel.${count % 2 === 0 ? 'C' : 'U'}`, url });
}
