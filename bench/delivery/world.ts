// The starting point of every part: a template database with voyages, and subscriptions to some of them, one per
// receiver.

import { request } from 'undici';
import { authorize } from '../harness/service-client.ts';
import { copyDatabase } from '../matching/matching-table.ts';
import { createDatabase, fillFleet, selectVoyageKeys } from '../rest/fleet-table.ts';
import { forgetNotifications, selectTemplate } from './delivery-table.ts';
import type { Subscribed, Template } from './planned-notifications.ts';
import { startService } from './servers.ts';
import { Sink } from './sink-process.ts';

export interface World {
  /** A template to copy. It has no connections. */
  url: string;
  voyageKeys: readonly number[];
  folder: string;
}

export async function makeWorld(serverUrl: string, folder: string, voyages: number): Promise<World> {
  const url = await createDatabase(serverUrl, 'bench_world');
  // The service creates the tables, the reference data and the user.
  const { program } = await startService({ databaseUrl: url, roles: 'worker', folder });
  await program.stop();
  await fillFleet(url, { voyages, ports: 50, voyagesOfFirstPort: voyages / 50, hasSubObjects: true });
  return { url, voyageKeys: await selectVoyageKeys(url, voyages), folder };
}

/** A separate database in which each receiver has a subscription. */
export interface Stand {
  databaseUrl: string;
  folder: string;
  subscribed: Subscribed[];
  /** The body that the service sends for a change. */
  template: Template;
}

export async function openStand(world: World, name: string, urls: readonly string[]): Promise<Stand> {
  const databaseUrl = await copyDatabase(world.url, `bench_${name}`);
  const { folder, voyageKeys } = world;
  const { origin, program } = await startService({ databaseUrl, roles: 'api,worker', folder });
  const first = await Sink.start([{ kind: 'prompt' }]);
  try {
    const headers = { ...(await authorize(origin)), 'content-type': 'application/json' };
    const subscribe = (objectKey: number, url: string) =>
      send(`${origin}/ws/rest/WebhookSubscription`, 'POST', headers, { eventType: `Voyage.U.${objectKey}`, url });
    await subscribe(voyageKeys.at(-1)!, first.urls[0]!);
    await send(`${origin}/ws/rest/Voyage/${voyageKeys.at(-1)}`, 'PUT', headers, { comments: 'The first change.' });
    await first.wait(1);
    const template = await selectTemplate(databaseUrl);
    const subscribed: Subscribed[] = [];
    for (const [n, url] of urls.entries()) {
      const objectKey = voyageKeys[n]!;
      const { key, signingSecret } = await subscribe(objectKey, url);
      subscribed.push({ key: Number(key), signingSecret: String(signingSecret), objectKey, url });
    }
    await program.stop();
    await forgetNotifications(databaseUrl);
    return { databaseUrl, folder, subscribed, template };
  } finally {
    await program.stop();
    await first.stop();
  }
}

/** Returns the notification that the service created. */
export async function send(
  url: string,
  method: 'POST' | 'PUT',
  headers: Record<string, string>,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await request(url, { method, headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`The service refuses ${url}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
