// Clients that foreign generators write from the API description of a running service: each is generated, compiled, and
// used by a small program that creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an
// object, and reads why another one cannot be deleted.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cacheFolder, lockInCache } from '../../../../test/tools/tool-cache.ts';
import { withTools } from '../../../../test/tools/with-tools.ts';
import { startHooks } from '../deliver/hooks.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { generators, prepare } from './generators.ts';
import type { Work } from './program.ts';

const service = useTestService();
const document = join(cacheFolder, 'openapi.json');
// The first run fetches and compiles everything, or waits for another one that does.
const buildTimeoutMs = 1_800_000;
let unlock: () => Promise<void> = async () => {};
let ports: { key: number; unLoCode: string }[];

beforeAll(async () => {
  unlock = await lockInCache('generators');
  await mkdir(join(cacheFolder, 'work'), { recursive: true });
  await writeFile(document, (await service.get('/openapi.json')).text);
  ports = [
    await create(service, 'Port', { unLoCode: 'NLRTM', portName: 'Rotterdam' }),
    await create(service, 'Port', { unLoCode: 'SGSIN', portName: 'Singapore' }),
  ];
}, buildTimeoutMs);

afterAll(() => unlock());

test.for(generators)('a client of $name works as it comes', { timeout: buildTimeoutMs }, async (generator, context) => {
  const { name, version, toolchains, program, generate } = generator;
  const work: Work = { document, folder: join(cacheFolder, 'work', name.replaceAll(/\W+/g, '-')) };
  await prepare(work, generator);
  await withTools(context, toolchains, async () => {
    const seconds = [await secondsOf(() => generate(work))];
    if (program) {
      const hooks = await startHooks();
      seconds.push(await secondsOf(() => program.compile(work)));
      let output = '';
      seconds.push(
        await secondsOf(async () => {
          output = await program.run(work, environment(hooks.url));
        }),
      );
      await expectDone(JSON.parse(output.trim().split('\n').at(-1)!));
    }
    const steps = ['generated', 'compiled', 'run'].slice(0, seconds.length);
    tell(`${name} ${version}: ${steps.map((step, index) => `${step} in ${seconds[index]} s`).join(', ')}.`);
  });
});

function environment(receiverUrl: string): Record<string, string> {
  return {
    FLAGHOIST_URL: service.url(),
    FLAGHOIST_TOKEN: service.token(),
    RECEIVER_URL: receiverUrl,
    PORTS: ports.map(({ unLoCode }) => unLoCode).join(','),
    PORT_KEYS: ports.map(({ key }) => key).join(','),
  };
}

interface Output {
  voyage: number;
  vesselName: string;
  portCalls: number;
  status: string;
  freight: number;
  subscription: number;
  notifiedKeys: number[];
  secretLength: number;
  deleted: number;
  /** Why the subscription cannot be deleted. */
  error: string;
}

/** What the program says it saw is what the service has. */
async function expectDone(output: Output): Promise<void> {
  const { body: voyage } = await service.get(`/ws/rest/Voyage/${output.voyage}`);
  expect(voyage).toMatchObject({ comments: 'Changed', freight: 1234567.89 });
  expect(voyage.portCalls.map((call: { port: { unLoCode: string } }) => call.port.unLoCode)).toEqual(
    ports.map(({ unLoCode }) => unLoCode),
  );
  const path = `/ws/rest/WebhookSubscription/${output.subscription}`;
  const { body: subscription } = await service.get(path);
  expect(subscription.eventTypes).toEqual(['Voyage.U']);
  const refused = await service.delete(path);
  expect(refused.status).toBe(409);
  expect((await service.get(`/ws/rest/Vessel/${output.deleted}`)).status).toBe(404);
  expect(output).toEqual({
    voyage: voyage.key,
    vesselName: voyage.vessel.vesselName,
    portCalls: 2,
    status: 'NOM',
    // More digits than a float of 32 bits has.
    freight: 1234567.89,
    subscription: subscription.key,
    notifiedKeys: [voyage.key],
    secretLength: 'whsec_'.length + 44,
    deleted: expect.any(Number),
    error: refused.body.message,
  });
}

async function secondsOf(work: () => Promise<unknown>): Promise<string> {
  const startedAt = performance.now();
  await work();
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
