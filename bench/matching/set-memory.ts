// A separate program that loads all subscriptions of a database and reports the memory after loading, the memory after
// using each once, and the time. Run with `--expose-gc`.

import { Database } from '../../packages/server/src/database/database.ts';
import { loadModel } from '../../packages/server/src/model/model-file/read-model-file.ts';
import type { ObjectType } from '../../packages/server/src/model/object-type.ts';
import { renderResource } from '../../packages/server/src/render/render-resource.ts';
import { planOf } from '../../packages/server/src/snapshots/load-plan.ts';
import type { ObjectState } from '../../packages/server/src/snapshots/object-state.ts';
import { readerOf } from '../../packages/server/src/snapshots/state-reader.ts';
import { type Subscription, viewOf } from '../../packages/server/src/subscriptions/subscription.ts';
import { SubscriptionSet } from '../../packages/server/src/subscriptions/subscription-set.ts';

export interface SetPlan {
  databaseUrl: string;
  /** The subscriptions are for objects with keys from 1 to this. */
  keysMax: number;
}

export interface SetMemory {
  subscriptions: number;
  loadMs: number;
  loadedBytes: number;
  /** Including everything that is compiled on first use. */
  usedBytes: number;
  conditions: number;
  selections: number;
}

process.on('message', async (plan: SetPlan) => {
  process.send!(await measureSet(plan));
});
process.on('disconnect', () => process.exit());

async function measureSet({ databaseUrl, keysMax }: SetPlan): Promise<SetMemory> {
  const database = new Database({
    url: databaseUrl,
    observe: () => undefined,
    connectionsMax: 1,
    statementTimeoutMs: 30_000,
  });
  const set = new SubscriptionSet(await loadModel(undefined));
  await database.ping();
  const before = heapBytes();
  const startedAt = performance.now();
  await database.transaction({ userKey: undefined, client: 'bench' }, ({ run }) => set.refresh('bench/1', run));
  const loadMs = performance.now() - startedAt;
  const loaded = heapBytes();
  const seen = { conditions: new Set<unknown>(), selections: new Set<unknown>() };
  const type = set.types.get('BunkerOrder')!;
  for (let key = 1; key <= keysMax; key += 1) {
    for (const subscription of set.find('BunkerOrder', 'U', key)) {
      seen.conditions.add(subscription.condition);
      seen.selections.add(viewOf(subscription, type));
      useOnce(subscription, type, key);
    }
  }
  const [conditions, selections] = [seen.conditions.size, seen.selections.size];
  seen.conditions.clear();
  seen.selections.clear();
  const used = heapBytes();
  await database.close();
  return {
    subscriptions: set.size,
    loadMs,
    loadedBytes: loaded - before,
    usedBytes: used - before,
    conditions,
    selections,
  };
}

const nothing: ObjectState = { row: (_, key) => ({ key }), elements: () => [], isCutOff: () => false };
const links = { restUrl: 'http://flaghoist.test/ws/rest' };

function useOnce(subscription: Subscription, type: ObjectType, key: number): void {
  const { condition } = subscription;
  const view = viewOf(subscription, type);
  planOf(view);
  renderResource(nothing, view, key, links, 1_000_000);
  if (condition.kind !== 'filter') return;
  planOf(condition.newView);
  planOf(condition.oldView);
  const svcObject = readerOf(nothing, type, key, links)!;
  condition.evaluate({ svcObject, oldSvcObject: svcObject });
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error('To be run with --expose-gc.');
  // Weakly held objects need a second collection.
  for (let n = 0; n < 3; n += 1) globalThis.gc();
  return process.memoryUsage().heapUsed;
}
