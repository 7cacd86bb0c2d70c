// Neither one client nor all long requests together take all connections, and every place is released.

import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClientShares, type Release, type StartVerdict, TooManyWaiting } from '../../src/database/client-shares.ts';
import { DatabaseAway } from '../../src/database/database-away.ts';

interface Asked {
  client: string;
  isLong: boolean;
  turns: number;
  fails: boolean;
}

const asked = fc.record<Asked>({
  client: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  isLong: fc.boolean(),
  turns: fc.integer({ min: 0, max: 5 }),
  fails: fc.boolean(),
});

test('random requests: no client exceeds its share, all get their turn, every place is released', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 24 }), fc.array(asked, { maxLength: 80 }), async (connections, all) => {
      const shares = new ClientShares({ connections });
      const share = Math.max(1, Math.floor(connections / 4));
      const held: Asked[] = [];
      const work = async (one: Asked) => {
        const release = await shares.take(one);
        try {
          held.push(one);
          const own = held.filter(({ client }) => client === one.client);
          expect(own.length).toBeLessThanOrEqual(share);
          expect(own.filter(({ isLong }) => isLong).length).toBeLessThanOrEqual(Math.max(1, Math.floor(share / 2)));
          const long = held.filter(({ isLong }) => isLong).length;
          expect(long).toBeLessThanOrEqual(Math.max(1, Math.floor(connections / 2)));
          for (let n = 0; n < one.turns; n += 1) await turn();
          if (one.fails) throw new Error('failed');
        } finally {
          held.splice(held.indexOf(one), 1);
          release();
          release();
        }
      };
      const ends = await Promise.allSettled(all.map(work));
      expect(ends.map(({ status }) => status)).toEqual(all.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')));
      for (const end of ends) if (end.status === 'rejected') expect(end.reason.message).toBe('failed');
      expect(shares.size).toBe(0);
    }),
    { numRuns: 200 },
  );
});

/** Records which requests have started. */
function follow(shares: ClientShares): {
  started: string[];
  ask(name: string, client: string, isLong?: boolean): Promise<Release>;
} {
  const started: string[] = [];
  const ask = async (name: string, client: string, isLong = false) => {
    const release = await shares.take({ client, isLong });
    started.push(name);
    return release;
  };
  return { started, ask };
}

describe('a request over the share', () => {
  test('waits in order behind the others of its client; other clients do not wait', async () => {
    const { started, ask } = follow(new ClientShares({ connections: 4 }));
    const release = await ask('a1', 'a');
    const [second] = [ask('a2', 'a'), ask('a3', 'a')];
    await ask('b1', 'b');
    expect(started).toEqual(['a1', 'b1']);
    release();
    (await second)();
    await expect.poll(() => started).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('is overtaken by short ones of its client if it is long', async () => {
    const { started, ask } = follow(new ClientShares({ connections: 8 }));
    const release = await ask('long 1', 'a', true);
    void ask('long 2', 'a', true);
    await ask('short', 'a');
    expect(started).toEqual(['long 1', 'short']);
    release();
    await expect.poll(() => started).toContain('long 2');
  });

  test('is rejected if 500 of the same client are already waiting', async () => {
    const shares = new ClientShares({ connections: 4 });
    const { ask } = follow(shares);
    await ask('first', 'a');
    for (let n = 0; n < 500; n += 1) void shares.take({ client: 'a', isLong: n % 2 === 0 });
    await expect(ask('one too many', 'a')).rejects.toThrow(TooManyWaiting);
    await ask('other', 'b');
  });
});

test('clients take turns when long requests of several clients wait', async () => {
  const { started, ask } = follow(new ClientShares({ connections: 2 }));
  const release = await ask('a1', 'a', true);
  const [a2, b1] = [ask('a2', 'a', true), ask('b1', 'b', true)];
  release();
  (await b1)();
  (await a2)();
  expect(started).toEqual(['a1', 'b1', 'a2']);
});

test('a client that may not start waits until it is woken', async () => {
  const full = new Set(['a']);
  const shares = new ClientShares({ connections: 8, mayStart: (client) => (full.has(client) ? 'later' : 'now') });
  const { started, ask } = follow(shares);
  const waiting = ask('a', 'a');
  await ask('b', 'b');
  full.clear();
  shares.wake('a');
  await waiting;
  expect(started).toEqual(['b', 'a']);
});

test('a request that is rejected when its turn comes fails and releases its place', async () => {
  let verdict: StartVerdict = 'now';
  const shares = new ClientShares({ connections: 4, mayStart: () => verdict });
  const ask = (client: string, isLong: boolean) => shares.take({ client, isLong });
  const releases = [await ask('a', true), await ask('b', true)];
  const waiting = Promise.allSettled([ask('a', false), ask('a', true), ask('c', true)]);
  verdict = new Error('full');
  for (const release of releases) release();
  for (const end of await waiting) expect(end).toMatchObject({ status: 'rejected', reason: verdict });
  await expect(ask('d', false)).rejects.toBe(verdict);
  expect(shares.size).toBe(0);
});

test('requests that wait when the pool is closed fail', async () => {
  const shares = new ClientShares({ connections: 4 });
  await shares.take({ client: 'a', isLong: false });
  const waiting = shares.take({ client: 'a', isLong: false });
  shares.close();
  await expect(waiting).rejects.toThrow(DatabaseAway);
});
