// `npm run endurance <name>`: runs an endurance test, prints the result and stores it as `endurance/results/<name>.md`.
// Exits with 1 if anything was lost.

import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { projectRoot } from '../bench/harness/project-root.ts';
import { renderAttack } from './attacks/attack-report.ts';
import { type AttackPlan, runAttack } from './attacks/attack-run.ts';
import { renderBacklog } from './backlog/backlog-report.ts';
import { runBacklog } from './backlog/backlog-run.ts';
import { renderDelivery } from './delivery/delivery-report.ts';
import { runDelivery } from './delivery/delivery-run.ts';
import { renderExpressions } from './expressions/expressions-report.ts';
import { runExpressions } from './expressions/expressions-run.ts';
import { renderFailover } from './failover/failover-report.ts';
import { runFailover } from './failover/failover-run.ts';
import type { Finding } from './finding.ts';
import { renderHardships } from './hardships/hardships-report.ts';
import { hardships, runHardships } from './hardships/hardships-run.ts';
import { renderLifeCycle } from './life-cycle/life-cycle-report.ts';
import { runLifeCycle } from './life-cycle/life-cycle-run.ts';
import { renderMatching } from './matching/matching-report.ts';
import { runMatching } from './matching/matching-run.ts';
import { renderNats } from './nats/nats-report.ts';
import { runNats } from './nats/nats-run.ts';
import { renderOrder } from './order/order-report.ts';
import { runOrder } from './order/order-run.ts';
import { renderRestarts } from './restarts/restarts-report.ts';
import { runRestarts } from './restarts/restarts-run.ts';
import { renderSandbox } from './sandbox/sandbox-report.ts';
import { runSandbox } from './sandbox/sandbox-run.ts';
import { renderSchemathesis } from './schemathesis/schemathesis-report.ts';
import { runSchemathesis } from './schemathesis/schemathesis-run.ts';
import { renderStalls } from './stalls/stalls-report.ts';
import { runStalls } from './stalls/stalls-run.ts';
import { type ConsumerName, consumerNames } from './stream/consumer.ts';
import { renderStream } from './stream/stream-report.ts';
import { runStream } from './stream/stream-run.ts';
import { renderThrottle } from './throttle/throttle-report.ts';
import { runThrottle } from './throttle/throttle-run.ts';
import { renderTokens } from './tokens/tokens-report.ts';
import { runTokens } from './tokens/tokens-run.ts';
import { renderWrites } from './writes/writes-report.ts';
import { runWrites } from './writes/writes-run.ts';

interface WritesOptions {
  kills: number;
  clients: number;
  checkEvery: number;
  seed: number;
  results: string;
}

interface TokensOptions {
  seconds: number;
  connections: number;
  rotations: number;
  renewEvery: number;
  results: string;
}

interface RestartsOptions {
  restarts: number;
  connections: number;
  drain: number;
  results: string;
}

interface FailoverOptions {
  rounds: number;
  clients: number;
  throughPgbouncer?: boolean;
  seed: number;
  results: string;
}

interface ExpressionsOptions {
  expressions: number;
  mutations: number;
  seed: number;
  results: string;
}

interface MatchingOptions {
  kills: number;
  clients: number;
  halts: number;
  seed: number;
  results: string;
}

type DeliveryOptions = MatchingOptions;

interface OrderOptions {
  objects: number;
  changes: number;
  kills: number;
  seed: number;
  results: string;
}

interface ThrottleOptions {
  subscriptions: number;
  rate: number;
  seconds: number;
  results: string;
}

interface NatsOptions {
  seconds: number;
  killEvery: number;
  objects: number;
  seed: number;
  results: string;
}

interface StreamOptions {
  consumer: ConsumerName;
  changes: number;
  kills: number;
  processKills: number;
  databaseKills: number;
  seed: number;
  results: string;
}

interface StallsOptions {
  stalls: number;
  dist?: string;
  clients: number;
  seed: number;
  results: string;
}

interface HardshipsOptions {
  seconds: number;
  only?: string;
  seed: number;
  results: string;
}

interface BacklogOptions {
  rows: number;
  receivers: number;
  results: string;
}

interface AttackOptions extends Omit<AttackPlan, 'kind' | 'tell'> {
  results: string;
}

interface SchemathesisOptions {
  examples: number;
  paths?: string;
  seed: number;
  results: string;
}

interface SandboxOptions {
  minutes: number;
  perSecond: number;
  results: string;
}

const resultsOption = [
  '--results <folder>',
  'where the report is written',
  join(projectRoot, 'endurance/results'),
] as const;

const program = new Command('endurance').description('Breaks what can break, and looks for what was lost.');

program
  .command('writes')
  .description('kill -9 of node or PostgreSQL while clients write')
  .option('--kills <count>', 'how many times', parseCount, 200)
  .option('--clients <count>', 'how many write at once', parseCount, 8)
  .option('--check-every <kills>', 'how often everything is checked', parseCount, 40)
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(writes);

program
  .command('tokens')
  .description('the signing key is replaced while clients call two processes')
  .option('--seconds <count>', 'how long', parseCount, 60)
  .option('--connections <count>', 'how many call at once', parseCount, 16)
  .option('--rotations <count>', 'how often the key is replaced', parseCount, 3)
  .option('--renew-every <seconds>', 'how long each uses a token', parseCount, 3)
  .option(...resultsOption)
  .action(tokens);

program
  .command('restarts')
  .description('rolling restarts of four processes behind a load balancer while clients work')
  .option('--restarts <count>', 'how many times each is restarted', parseCount, 20)
  .option('--connections <count>', 'how many work at once', parseCount, 16)
  .option('--drain <seconds>', 'FLAGHOIST_DRAIN_SECONDS', parseSeconds, 2)
  .option(...resultsOption)
  .action(restarts);

program
  .command('expressions')
  .description('random expressions compared with Java, and texts with bytes changed')
  .option('--expressions <count>', 'how many are compared', parseCount, 10_000)
  .option('--mutations <count>', 'how many texts are changed', parseCount, 1_000_000)
  .option('--seed <number>', 'repeats an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(expressions);

program
  .command('matching')
  .description('kill -9 of one of two matching processes under load')
  .option('--kills <count>', 'how many times', parseCount, 100)
  .option('--clients <count>', 'how many write at once', parseCount, 6)
  .option('--halts <count>', 'how often one is halted in the middle of a batch', parseCount, 3)
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(matching);

program
  .command('delivery')
  .description('kill -9 of processes and database while receivers fail')
  .option('--kills <count>', 'how many times', parseCount, 300)
  .option('--clients <count>', 'how many write at once', parseCount, 6)
  .option('--halts <count>', 'how often a process is halted for longer than its lease', parseCount, 10)
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(delivery);

program
  .command('order')
  .description('kill -9 of processes, database and receiver of an ordered subscription')
  .option('--objects <count>', 'how many are changed', parseCount, 50)
  .option('--changes <count>', 'how many changes', parseCount, 20_000)
  .option('--kills <count>', 'how many times', parseCount, 50)
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(order);

program
  .command('failover')
  .description('kill -9 of the primary of two databases, and promotion of its standby, under load')
  .option('--rounds <count>', 'how many times', parseCount, 50)
  .option('--clients <count>', 'how many change objects at once', parseCount, 4)
  .option('--through-pgbouncer', 'with PgBouncer in between, which is told of each promotion')
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(failover);

program
  .command('throttle')
  .description('subscriptions with a rate, over two processes')
  .option('--subscriptions <count>', 'how many have a rate; as many have none', parseCount, 20)
  .option('--rate <count>', 'attempts per second of each', parseCount, 5)
  .option('--seconds <count>', 'how long the rates are measured', parseCount, 60)
  .option(...resultsOption)
  .action(throttle);

program
  .command('nats')
  .description('kill -9 of one of three NATS servers while changes are published')
  .option('--seconds <count>', 'how long', parseCount, 120)
  .option('--kill-every <seconds>', 'how often one is killed', parseCount, 5)
  .option('--objects <count>', 'how many are changed', parseCount, 50)
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(nats);

program
  .command('stream')
  .description('kill -9 of the consumer of a stream, and of processes and database')
  .addOption(new Option('--consumer <name>', 'how it fetches').choices(consumerNames).default('node'))
  .option('--changes <count>', 'how many changes', parseCount, 50_000)
  .option('--kills <count>', 'how many times the consumer is killed', parseCount, 100)
  .option('--process-kills <count>', 'how many times a process of the service is', parseCount, 10)
  .option('--database-kills <count>', 'how many times the database is', parseCount, 5)
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(stream);

program
  .command('stalls')
  .description('workers are stopped, or cut off from the database, at random statements')
  .option('--stalls <count>', 'how many times', parseCount, 200)
  .option('--dist <folder>', 'the compiled service of another version')
  .option('--clients <count>', 'how many write at once', parseCount, 6)
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(stalls);

program
  .command('hardships')
  .description('full disk, frozen database, clock steps, few descriptors, little memory')
  .option('--seconds <count>', 'how long each lasts', parseCount, 20)
  .addOption(new Option('--only <name>', 'one of them').choices(hardships.map(({ name }) => name)))
  .option('--seed <number>', 'repeats the choices of an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(endureHardships);

program
  .command('life-cycle')
  .description('a receiver that fails, in real time with the default settings')
  .option(...resultsOption)
  .action(lifeCycle);

program
  .command('backlog')
  .description('a start when very many notifications are due')
  .option('--rows <count>', 'how many', parseCount, 1_000_000)
  .option('--receivers <count>', 'for how many receivers', parseCount, 50)
  .option(...resultsOption)
  .action(backlog);

program
  .command('sandbox')
  .description('scripts and stylesheets of which one in ten is hostile')
  .option('--minutes <count>', 'how long; may be a fraction', parseMinutes, 10)
  .option('--per-second <count>', 'how many changes a second', parseCount, 10)
  .option(...resultsOption)
  .action(sandbox);

program
  .command('schemathesis')
  .description('requests made from the API description by schemathesis')
  .option('--examples <count>', 'how many random ones per operation and phase, at most', parseCount, 20)
  .option('--paths <expression>', 'only paths that match this regular expression')
  .option('--seed <number>', 'repeats an earlier run', parseCount, randomInt(1, 1_000_000))
  .option(...resultsOption)
  .action(schemathesis);

for (const [kind, connections, text] of [
  ['starve', 40, 'one client asks for large lists on many connections'],
  ['unread', 120, 'one client reads none of its answers'],
  ['swell', 24, 'one client asks for single objects that are large'],
] as const)
  program
    .command(kind)
    .description(text)
    .option('--connections <count>', 'how many', parseCount, connections)
    .option('--voyages <count>', 'how many, with 20 port calls each', parseCount, 800)
    .option('--seconds <count>', 'how long without the attack, and under it', parseCount, 30)
    .option('--dist <folder>', 'another build of the service, to compare with')
    .option(...resultsOption)
    .action((options: AttackOptions) => attack(kind, options));

// When this process exits, the others are stopped, see `bench/harness/node-program.ts`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await program.parseAsync();

async function writes({ results, ...plan }: WritesOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runWrites({ ...plan, tell });
  await conclude('writes', results, renderWrites(result), result.findings);
}

async function tokens({ results, renewEvery, ...plan }: TokensOptions): Promise<void> {
  const result = await runTokens({ ...plan, renewEveryMs: renewEvery * 1000, tell: startTelling() });
  await conclude('tokens', results, renderTokens(result), result.findings);
}

async function restarts({ results, drain, ...plan }: RestartsOptions): Promise<void> {
  const result = await runRestarts({ ...plan, drainSeconds: drain, tell: startTelling() });
  await conclude('restarts', results, renderRestarts(result), result.findings);
}

async function failover({ results, throughPgbouncer = false, ...plan }: FailoverOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runFailover({ ...plan, throughPgbouncer, tell });
  await conclude(`failover${throughPgbouncer ? '-pgbouncer' : ''}`, results, renderFailover(result), result.findings);
}

async function expressions({ results, ...plan }: ExpressionsOptions): Promise<void> {
  const result = await runExpressions({ ...plan, tell: startTelling() });
  await conclude('expressions', results, renderExpressions(result), result.findings);
}

async function matching({ results, ...plan }: MatchingOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runMatching({ ...plan, tell });
  await conclude('matching', results, renderMatching(result), result.findings);
}

async function delivery({ results, ...plan }: DeliveryOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runDelivery({ ...plan, tell });
  await conclude('delivery', results, renderDelivery(result), result.findings);
}

async function order({ results, ...plan }: OrderOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runOrder({ ...plan, tell });
  await conclude('order', results, renderOrder(result), result.findings);
}

async function throttle({ results, rate, ...plan }: ThrottleOptions): Promise<void> {
  const result = await runThrottle({ ...plan, ratePerSecond: rate, tell: startTelling() });
  await conclude('throttle', results, renderThrottle(result), result.findings);
}

async function nats({ results, ...plan }: NatsOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runNats({ ...plan, tell });
  await conclude('nats', results, renderNats(result), result.findings);
}

async function stream({ results, ...plan }: StreamOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runStream({ ...plan, tell });
  await conclude(
    plan.consumer === 'node' ? 'stream' : `stream-${plan.consumer}`,
    results,
    renderStream(result),
    result.findings,
  );
}

async function stalls({ results, ...plan }: StallsOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runStalls({ ...plan, tell });
  await conclude('stalls', results, renderStalls(result), result.findings);
}

async function endureHardships({ results, ...plan }: HardshipsOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runHardships({ ...plan, tell });
  await conclude('hardships', results, renderHardships(result), result.findings);
}

async function lifeCycle({ results }: { results: string }): Promise<void> {
  const result = await runLifeCycle(startTelling());
  await conclude('life-cycle', results, renderLifeCycle(result), result.findings);
}

async function backlog({ results, ...plan }: BacklogOptions): Promise<void> {
  const result = await runBacklog({ ...plan, tell: startTelling() });
  await conclude('backlog', results, renderBacklog(result), result.findings);
}

async function sandbox({ results, ...plan }: SandboxOptions): Promise<void> {
  const result = await runSandbox({ ...plan, tell: startTelling() });
  await conclude('sandbox', results, renderSandbox(result), result.findings);
}

async function schemathesis({ results, ...plan }: SchemathesisOptions): Promise<void> {
  const tell = startTelling();
  tell(`seed ${plan.seed}`);
  const result = await runSchemathesis({ ...plan, tell });
  await conclude('schemathesis', results, renderSchemathesis(result), result.findings);
}

async function attack(kind: AttackPlan['kind'], { results, dist, ...plan }: AttackOptions): Promise<void> {
  const result = await runAttack({ ...plan, kind, dist, tell: startTelling() });
  await conclude(dist === undefined ? kind : `${kind}-other-build`, results, renderAttack(result), result.findings);
}

function startTelling(): (line: string) => void {
  const startedAt = performance.now();
  return (line) => console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);
}

async function conclude(name: string, folder: string, text: string, findings: Finding[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.md`), text);
  console.log(text);
  if (findings.length > 0) process.exitCode = 1;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('A positive whole number was expected.');
  return Number(text);
}

function parseSeconds(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('A whole number of seconds was expected.');
  return Number(text);
}

function parseMinutes(text: string): number {
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('A positive number was expected.');
  return Number(text);
}
