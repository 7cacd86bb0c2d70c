// One installation for each contender: the same objects and subscriptions, all of one selection, and a service.

import { startService } from '../delivery/servers.ts';
import { send, type World } from '../delivery/world.ts';
import type { NodeProgram } from '../harness/node-program.ts';
import { authorize } from '../harness/service-client.ts';
import { copyDatabase } from '../matching/matching-table.ts';
import { addPortCalls, type Changed, selectKeys } from './fan-out-table.ts';

export type ContenderName = 'shared contents' | 'whole bodies';

export interface FanOutContender {
  name: ContenderName;
  changed: Changed;
  databaseUrl: string;
  keys: readonly number[];
  program: NodeProgram;
}

const types = { vessel: 'Vessel', voyage: 'Voyage' };
const wholeBodies = new URL('./whole-bodies.js', import.meta.url).href;

/** Both, with copies of one database. */
export async function openContenders(
  world: World,
  changed: Changed,
  subscriptions: number,
  urls: readonly string[],
): Promise<FanOutContender[]> {
  const subscribed = await copyDatabase(world.url, `bench_${changed}`);
  await subscribe({ ...world, url: subscribed }, changed, subscriptions, urls);
  if (changed === 'voyage') await addPortCalls(subscribed);
  const keys = await selectKeys(subscribed, changed, 50);
  const contenders: FanOutContender[] = [];
  for (const name of ['shared contents', 'whole bodies'] as const) {
    const databaseUrl = await copyDatabase(subscribed, `bench_${changed}_${name.replace(' ', '_')}`);
    const nodeArgs = name === 'whole bodies' ? [`--import=${wholeBodies}`] : [];
    const { program } = await startService({ databaseUrl, roles: 'worker', folder: world.folder, nodeArgs });
    contenders.push({ name, changed, databaseUrl, keys, program });
  }
  return contenders;
}

async function subscribe({ url, folder }: World, changed: Changed, count: number, urls: readonly string[]) {
  const { origin, program } = await startService({ databaseUrl: url, roles: 'api,worker', folder });
  try {
    const headers = { ...(await authorize(origin)), 'content-type': 'application/json' };
    for (let n = 0; n < count; n += 1)
      await send(`${origin}/ws/rest/WebhookSubscription`, 'POST', headers, {
        eventType: `${types[changed]}.U`,
        url: urls[n % urls.length],
      });
  } finally {
    await program.stop();
  }
}
