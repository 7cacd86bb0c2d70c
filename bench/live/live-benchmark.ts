// The live benchmark: whether the list of notifications in the console stays responsive while many come, in turns with
// the same page while none comes.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { ChangePlan, ChangeResult } from '../delivery/change-generator.ts';
import { startGenerator } from '../delivery/latency.ts';
import { type Service, startService } from '../delivery/servers.ts';
import { Sink } from '../delivery/sink-process.ts';
import { makeWorld, send, type World } from '../delivery/world.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { Ledger } from '../harness/ledger.ts';
import { type MachineFacts, readMachineFacts } from '../harness/machine-facts.ts';
import type { NodeProgram } from '../harness/node-program.ts';
import { type Report, renderNumber, renderSpread } from '../harness/report.ts';
import { measureInRounds } from '../harness/rounds.ts';
import { authorize } from '../harness/service-client.ts';
import { spreadOf } from '../harness/statistics.ts';
import { judge } from '../harness/verdict.ts';
import { copyDatabase } from '../matching/matching-table.ts';
import { type Frames, LivePage, longFrameMs } from './live-page.ts';

interface Sizes {
  voyages: number;
  subscriptions: number;
  changesPerSecond: number;
  rounds: number;
  durationMs: number;
  warmUpMs: number;
}

const fullSizes: Sizes = {
  voyages: 200,
  subscriptions: 10,
  changesPerSecond: 50,
  rounds: 7,
  durationMs: 10_000,
  warmUpMs: 10_000,
};

const quickSizes: Sizes = {
  voyages: 50,
  subscriptions: 2,
  changesPerSecond: 20,
  rounds: 1,
  durationMs: 1_000,
  warmUpMs: 500,
};

interface Run {
  sizes: Sizes;
  ledger: Ledger;
  service: Service;
  headers: Record<string, string>;
  world: World;
  sink: Sink;
  generator: NodeProgram;
  page: LivePage;
}

export const liveBenchmark: Benchmark = async ({ isQuick, tell }) => {
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    tell('making the voyages');
    const world = await makeWorld(database.url, folder, sizes.voyages);
    const databaseUrl = await copyDatabase(world.url, 'bench_live');
    // The page must be at the URL that the service calls its own.
    const settings = { FLAGHOIST_BASE_URL: '' };
    const service = await startService({ databaseUrl, roles: 'api,worker', folder, settings });
    ends.push(() => service.program.stop());
    const headers = { ...(await authorize(service.origin)), 'content-type': 'application/json' };
    const sink = await Sink.start([{ kind: 'prompt' }]);
    const generator = startGenerator();
    ends.push(
      () => sink.stop(),
      () => generator.stop(),
    );
    for (let n = 0; n < sizes.subscriptions; n += 1)
      await send(`${service.origin}/ws/rest/WebhookSubscription`, 'POST', headers, {
        eventType: 'Voyage.U',
        name: `Subscription ${n}`,
        url: sink.urls[0],
      });
    const page = await LivePage.open(service.origin);
    ends.push(() => page.close());
    const ledger = new Ledger();
    tell('watching the list');
    const frames = await watchInTurns({ sizes, ledger, service, headers, world, sink, generator, page });
    return reportOf(frames, sizes, ledger, facts);
  } finally {
    for (const end of ends.reverse()) await end();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

function watchInTurns(run: Run): Promise<Map<string, Frames[]>> {
  let turn = 0;
  const quiet = { name: 'quiet', measure: (durationMs: number) => run.page.watchFrames(durationMs) };
  const busy = {
    name: 'busy',
    measure: async (durationMs: number) => {
      turn += 1;
      await run.sink.begin();
      const count = Math.round((run.sizes.changesPerSecond * durationMs) / 1_000);
      const [frames, changed] = await Promise.all([
        run.page.watchFrames(durationMs),
        run.generator.ask<ChangeResult>(changesOf(run, count, `turn ${turn}`)),
      ]);
      await check(run, turn, count, changed);
      return frames;
    },
  };
  return measureInRounds([quiet, busy], run.sizes);
}

function changesOf({ sizes, service, headers, world }: Run, count: number, mark: string): ChangePlan {
  const paths = world.voyageKeys.map((key) => `/ws/rest/Voyage/${key}`);
  const by = { kind: 'rest', origin: service.origin, headers, paths } as const;
  return { by, perSecond: sizes.changesPerSecond, count, mark };
}

/** Every notification was received, and the last one is in the list. */
async function check(
  { ledger, sink, sizes, service, headers, page }: Run,
  turn: number,
  count: number,
  changed: ChangeResult,
) {
  const wanted = count * sizes.subscriptions;
  ledger.expect(`turn ${turn}: changes made`, count, changed.done);
  ledger.expect(`turn ${turn}: notifications received`, wanted, await sink.wait(wanted));
  const newest = `${service.origin}/ws/rest/WebhookNotification?limit=1&sort=key(DS)&fields={}`;
  const [last] = (await (await fetch(newest, { headers })).json()) as { key: number }[];
  ledger.expect(`turn ${turn}: the list shows the last one`, true, await page.shows(last!.key));
}

function reportOf(measured: Map<string, Frames[]>, sizes: Sizes, ledger: Ledger, facts: MachineFacts): Report {
  const [quiet, busy] = [measured.get('quiet')!, measured.get('busy')!];
  const perSecond = sizes.subscriptions * sizes.changesPerSecond;
  const longShare = (frames: Frames) => (100 * frames.long) / frames.count;
  const row = (name: string, value: (frames: Frames) => number, digits = 0) => [
    name,
    renderSpread(spreadOf(busy.map(value)), digits),
    renderSpread(spreadOf(quiet.map(value)), digits),
  ];
  return {
    title: 'Console: the live list',
    introduction:
      `The list of notifications in Debian's chromium, headless and without a graphics card, while ` +
      `${renderNumber(perSecond)} notifications a second come and are delivered, in turns with the same page while ` +
      'none comes. The browser shares the two cores with the service, PostgreSQL and the receivers. Median of ' +
      `${sizes.rounds} rounds of ${sizes.durationMs / 1_000} s.`,
    verdicts: [
      judge(
        { what: `frames over ${longFrameMs} ms at ${perSecond}/s`, kind: 'atMost', value: 1, unit: '%' },
        spreadOf(busy.map(longShare)).median,
      ),
    ],
    sections: [
      {
        heading: 'Frames',
        table: {
          columns: ['', `${renderNumber(perSecond)} a second`, 'None'],
          rows: [
            row('frames', ({ count }) => count),
            row(`over ${longFrameMs} ms, %`, longShare, 2),
            row('the longest, ms', ({ longestMs }) => longestMs),
          ],
        },
      },
    ],
    ledger: ledger.entries,
    facts,
  };
}
