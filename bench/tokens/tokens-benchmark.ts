// The token benchmark: how many tokens the endpoint issues compared with signing alone, and what authentication costs a
// request that reads one object.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import { authenticateRequest, requireScope } from '../../packages/server/src/edge/request/request-context.ts';
import type { Benchmark } from '../harness/benchmark.ts';
import { type DrivenLoad, LoadDriver } from '../harness/drive-load.ts';
import { Ledger } from '../harness/ledger.ts';
import { failureCount, type LoadPlan, perSecond } from '../harness/load.ts';
import { readMachineFacts } from '../harness/machine-facts.ts';
import { NodeProgram } from '../harness/node-program.ts';
import { shareUnder } from '../harness/profile-areas.ts';
import { inspectorArgument, recordProfile } from '../harness/record-profile.ts';
import { type Report, renderNumber, renderSpread } from '../harness/report.ts';
import { measureInRounds, type RoundPlan } from '../harness/rounds.ts';
import { authorize, tokenRequest } from '../harness/service-client.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge } from '../harness/verdict.ts';
import type { SigningResult } from './sign-alone.ts';
import { countIssued, findObjectPath, startTokenService, type TokenService } from './token-service.ts';

interface Sizes {
  connections: number;
  rounds: RoundPlan;
  profileMs: number;
}

const fullSizes: Sizes = {
  connections: 32,
  rounds: { rounds: 7, durationMs: 5_000, warmUpMs: 4_000 },
  profileMs: 10_000,
};

const quickSizes: Sizes = {
  connections: 8,
  rounds: { rounds: 2, durationMs: 300, warmUpMs: 200 },
  profileMs: 500,
};

export const tokensBenchmark: Benchmark = async ({ isQuick, tell }) => {
  const sizes = isQuick ? quickSizes : fullSizes;
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-bench-'));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const driver = new LoadDriver();
  const run: Run = { sizes, driver, ledger: new Ledger(), databaseUrl: database.url };
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    tell('issuing tokens, in turns with signing alone');
    const issuing = await measureIssuing(run);
    tell('profiling a GET of one object');
    const recognising = await measureRecognising(run);
    return reportOf(issuing, recognising, run, facts, isQuick);
  } finally {
    await driver.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

interface Run {
  sizes: Sizes;
  driver: LoadDriver;
  ledger: Ledger;
  databaseUrl: string;
}

interface Issuing {
  /** Per second, by round. */
  issued: number[];
  /** One at a time on one core, because the load generator uses the other one. */
  signed: number[];
  signedOnAllCores: number[];
  processorUs: number[];
}

async function measureIssuing({ sizes, driver, ledger, databaseUrl }: Run): Promise<Issuing> {
  const service = await startTokenService(databaseUrl);
  const signer = new NodeProgram({
    script: fileURLToPath(new URL('./sign-alone.js', import.meta.url)),
    hasChannel: true,
  });
  const loads: DrivenLoad[] = [];
  try {
    const measured = await measureInRounds<number>(
      [
        {
          name: 'endpoint',
          measure: async (durationMs) => {
            const load = await driver.drive(issuePlan(service, sizes.connections, durationMs), service.program.pid);
            loads.push(load);
            return perSecond(load);
          },
        },
        { name: 'signing', measure: (durationMs) => measureSigning(signer, durationMs, 1) },
        {
          name: 'signing on all cores',
          measure: (durationMs) => measureSigning(signer, durationMs, sizes.connections),
        },
      ],
      sizes.rounds,
    );
    await keepBooks(ledger, service, loads);
    return {
      issued: measured.get('endpoint')!,
      signed: measured.get('signing')!,
      signedOnAllCores: measured.get('signing on all cores')!,
      processorUs: loads.flatMap(({ processorUs }) => processorUs ?? []),
    };
  } finally {
    await signer.stop();
    await service.program.stop();
  }
}

async function measureSigning(signer: NodeProgram, durationMs: number, atATime: number): Promise<number> {
  const result = await signer.ask<SigningResult>({ durationMs, atATime });
  return (result.signed * 1000) / result.durationMs;
}

function issuePlan({ origin }: TokenService, connections: number, durationMs: number): LoadPlan {
  return {
    origins: [origin],
    connections,
    durationMs,
    method: 'POST',
    paths: ['/oauth/token'],
    ...tokenRequest,
    expectedStatus: 200,
  };
}

/** Every received token was issued, and the sampled ones are valid. */
async function keepBooks(ledger: Ledger, { origin }: TokenService, loads: DrivenLoad[]): Promise<void> {
  const acknowledged = loads.reduce((sum, load) => sum + load.acknowledged, 0);
  const failed = loads.reduce((sum, load) => sum + failureCount(load), 0);
  ledger.expect('token requests that failed', 0, failed);
  ledger.expect('tokens issued, by the service itself', acknowledged, await countIssued(origin));
  const tokens = loads.map(({ first }) => (JSON.parse(first.body) as { access_token: string }).access_token);
  const answers = await Promise.all(
    tokens.map((token) => fetch(`${origin}/ws/rest/Port?limit=1`, { headers: { authorization: `Bearer ${token}` } })),
  );
  ledger.expect(
    'tokens that were tried, and good',
    tokens.length,
    answers.filter(({ status }) => status === 200).length,
  );
  ledger.expect('different tokens among them', tokens.length, new Set(tokens).size);
}

interface Recognising {
  share: number;
  processorUs: number | undefined;
}

/**
 * What the edge does to authenticate: token, client, user, scope, API version. `checkScope` calls the next step of
 * fastify, so a little of what follows is counted too. Names are taken from the functions: a name that the profile does
 * not have would count as no time at all.
 */
const recognisingFunctions = [authenticateRequest.name, requireScope('read').name];

async function measureRecognising({ sizes, driver, ledger, databaseUrl }: Run): Promise<Recognising> {
  const { origin, program } = await startTokenService(databaseUrl, [inspectorArgument]);
  try {
    const headers = await authorize(origin);
    const plan: LoadPlan = {
      origins: [origin],
      connections: sizes.connections,
      durationMs: sizes.profileMs,
      method: 'GET',
      paths: [await findObjectPath(origin, headers)],
      headers,
      expectedStatus: 200,
    };
    // The first requests compile code and prepare statements.
    await driver.drive({ ...plan, durationMs: sizes.profileMs / 3 }, program.pid);
    let load: DrivenLoad | undefined;
    const profile = await recordProfile(program.output, async () => {
      load = await driver.drive(plan, program.pid);
    });
    ledger.expect('GET requests that failed', 0, failureCount(load!));
    return { share: shareUnder(profile, recognisingFunctions), processorUs: load!.processorUs };
  } finally {
    await program.stop();
  }
}

const smokeNotice = '**A smoke run: it shows that everything works, and its numbers mean nothing.** ';

function reportOf(
  issuing: Issuing,
  recognising: Recognising,
  { ledger }: Run,
  facts: Report['facts'],
  isQuick: boolean,
): Report {
  const ratio = ratios(issuing.issued, issuing.signed);
  const percent = recognising.share * 100;
  return {
    title: 'Tokens: issuing and recognising them',
    introduction:
      `${isQuick ? smokeNotice : ''}Tokens are asked for over HTTP, as JSON, with a client's id and secret, on ` +
      'kept-alive connections. What it is measured against is a program that signs the same claims with jose, one ' +
      "at a time, and does nothing else: so one core's worth, as the endpoint has one core and the load generator " +
      'the other. For orientation there is the same with as many at a time as the load has connections, which ' +
      'takes all cores.',
    verdicts: [
      judge({ what: 'tokens issued, of signing alone', kind: 'atLeast', value: 0.5 }, ratio.median),
      judge(
        {
          what: 'recognising the caller, of the CPU time of a GET of one object',
          kind: 'atMost',
          value: 10,
          unit: '%',
        },
        percent,
      ),
    ],
    ledger: ledger.entries,
    facts,
    sections: [
      {
        heading: 'Tokens per second',
        table: {
          columns: ['', 'Median (middle half)'],
          rows: [
            ['token endpoint', renderSpread(spreadOf(issuing.issued))],
            ['signing alone with jose, one at a time', renderSpread(spreadOf(issuing.signed))],
            ['ratio', renderSpread(ratio, 2)],
            ['signing with jose on all cores, many at a time', renderSpread(spreadOf(issuing.signedOnAllCores))],
            ['ratio to that', renderSpread(ratios(issuing.issued, issuing.signedOnAllCores), 2)],
            ['processor time of the service for each token, µs', renderSpread(spreadOf(issuing.processorUs))],
          ],
        },
      },
      {
        heading: 'Recognising the caller',
        text:
          `Of a GET of one Currency, the smallest object there is, ${renderNumber(percent, 1)} % of the time went ` +
          `into knowing who calls (${recognisingFunctions.map((name) => `\`${name}\``).join(' and ')}, with all that ` +
          `they call); a ` +
          `request took ${renderNumber(recognising.processorUs ?? Number.NaN)} µs of processor time while it was ` +
          'profiled.',
      },
    ],
  };
}
