// The starting point of every part: a database with voyages, one of them as the service renders it, and copies with
// subscriptions that have scripts and stylesheets.

import { request } from 'undici';
import { loadModel } from '../../packages/server/src/model/model-file/read-model-file.ts';
import { renderObjectXml } from '../../packages/server/src/render/object-xml.ts';
import { startService } from '../delivery/servers.ts';
import { makeWorld, send, type World } from '../delivery/world.ts';
import { authorize } from '../harness/service-client.ts';
import { copyDatabase } from '../matching/matching-table.ts';
import type { Change, EnginePlan } from './engine-work.ts';
import { scriptsAtOnce, typicalScript, typicalStylesheet } from './typical.ts';

export interface ScriptedWorld extends World {
  /** JSON, as the service renders it. */
  voyage: string;
}

export async function makeScriptedWorld(serverUrl: string, folder: string, voyages: number): Promise<ScriptedWorld> {
  const world = await makeWorld(serverUrl, folder, voyages);
  const { origin, program } = await startService({ databaseUrl: world.url, roles: 'api,worker', folder });
  try {
    const { statusCode, body } = await request(`${origin}/ws/rest/Voyage/${world.voyageKeys[0]}`, {
      headers: await authorize(origin),
    });
    const voyage = await body.text();
    if (statusCode !== 200) throw new Error(`The service shows no voyage: status ${statusCode} ${voyage}`);
    return { ...world, voyage };
  } finally {
    await program.stop();
  }
}

export interface ScriptedSubscription {
  eventType: string;
  url: string;
  script?: string;
  stylesheet?: string;
}

export interface ScriptedStand {
  databaseUrl: string;
  folder: string;
  /** In the order of the plan. */
  subscriptionKeys: number[];
}

/** A separate database. Each subscription with a script has its own script. */
export async function openScriptedStand(
  world: World,
  name: string,
  planned: readonly ScriptedSubscription[],
): Promise<ScriptedStand> {
  const databaseUrl = await copyDatabase(world.url, `bench_${name}`);
  const { folder } = world;
  const { origin, program } = await startService({ databaseUrl, roles: 'api,worker', folder });
  try {
    const headers = { ...(await authorize(origin)), 'content-type': 'application/json' };
    const create = (type: string, body: object) => send(`${origin}/ws/rest/${type}`, 'POST', headers, body);
    const subscriptionKeys: number[] = [];
    for (const [n, { eventType, url, script, stylesheet }] of planned.entries()) {
      const code = `script-${n}`;
      if (script !== undefined) await create('AlertScript', { code, name: code, body: script });
      const { key } = await create('WebhookSubscription', {
        eventType,
        url,
        ...(script === undefined ? {} : { dlpAlertScript: code, useMsg: true }),
        ...(stylesheet === undefined ? {} : { xsl: Buffer.from(stylesheet).toString('base64') }),
      });
      subscriptionKeys.push(Number(key));
    }
    return { databaseUrl, folder, subscriptionKeys };
  } finally {
    await program.stop();
  }
}

const changesAtHand = 400;

/** The voyage with different comments each time, for engines without a service. */
export async function planEngines({ voyage }: ScriptedWorld): Promise<EnginePlan> {
  const type = (await loadModel(undefined)).types.get('Voyage')!;
  const withComments = (comments: string) => {
    const changed = voyage.replace(/"comments":\s*"[^"]*"/, `"comments":"${comments}"`);
    if (changed === voyage) throw new Error('The voyage has no comments.');
    return changed;
  };
  const changes = Array.from({ length: changesAtHand }, (_, n): Change => {
    const svcObject = withComments(`change ${n}`);
    return {
      id: `${n}-1`,
      svcObject,
      oldSvcObject: withComments(`change ${n - 1}`),
      xml: renderObjectXml(type, svcObject),
    };
  });
  const scripts = Array.from({ length: scriptsAtOnce }, (_, n) => typicalScript(n));
  return { kind: 'plan', scripts, stylesheet: typicalStylesheet, changes };
}
