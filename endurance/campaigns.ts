// All campaigns. A new one is a folder and a row.

import { Option } from 'commander';
import { renderAttack } from './attacks/attack-report.ts';
import { type AttackPlan, runAttack } from './attacks/attack-run.ts';
import { renderBacklog } from './backlog/backlog-report.ts';
import { runBacklog } from './backlog/backlog-run.ts';
import { type Campaign, campaign, count, minutes, seconds, seed, type Tell } from './campaign.ts';
import { renderDelivery } from './delivery/delivery-report.ts';
import { runDelivery } from './delivery/delivery-run.ts';
import { renderExpressions } from './expressions/expressions-report.ts';
import { runExpressions } from './expressions/expressions-run.ts';
import { renderFailover } from './failover/failover-report.ts';
import { runFailover } from './failover/failover-run.ts';
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
import { type RestartsPlan, runRestarts } from './restarts/restarts-run.ts';
import { renderSandbox } from './sandbox/sandbox-report.ts';
import { runSandbox } from './sandbox/sandbox-run.ts';
import { renderSchemathesis } from './schemathesis/schemathesis-report.ts';
import { runSchemathesis } from './schemathesis/schemathesis-run.ts';
import { renderStalls } from './stalls/stalls-report.ts';
import { runStalls } from './stalls/stalls-run.ts';
import { consumerNames } from './stream/consumer.ts';
import { renderStream } from './stream/stream-report.ts';
import { runStream, type StreamPlan } from './stream/stream-run.ts';
import { renderThrottle } from './throttle/throttle-report.ts';
import { runThrottle, type ThrottlePlan } from './throttle/throttle-run.ts';
import { renderTokens } from './tokens/tokens-report.ts';
import { runTokens, type TokensPlan } from './tokens/tokens-run.ts';
import { renderWrites } from './writes/writes-report.ts';
import { runWrites } from './writes/writes-run.ts';

const kills = (usual: number) => count('--kills <count>', 'how many times', usual);
const clients = (usual: number) => count('--clients <count>', 'how many write at once', usual);

export const campaigns: readonly Campaign[] = [
  campaign('writes', 'kill -9 of node or PostgreSQL while clients write', {
    options: [kills(200), clients(8), count('--check-every <kills>', 'how often everything is checked', 40), seed()],
    run: runWrites,
    render: renderWrites,
  }),
  campaign('tokens', 'the signing key is replaced while clients call two processes', {
    options: [
      count('--seconds <count>', 'how long', 60),
      count('--connections <count>', 'how many call at once', 16),
      count('--rotations <count>', 'how often the key is replaced', 3),
      count('--renew-every <seconds>', 'how long each uses a token', 3),
    ],
    run: ({ renewEvery, ...plan }: TokensPlan & { renewEvery: number }) =>
      runTokens({ ...plan, renewEveryMs: renewEvery * 1000 }),
    render: renderTokens,
  }),
  campaign('restarts', 'rolling restarts of four processes behind a load balancer while clients work', {
    options: [
      count('--restarts <count>', 'how many times each is restarted', 20),
      count('--connections <count>', 'how many work at once', 16),
      seconds('--drain <seconds>', 'FLAGHOIST_DRAIN_SECONDS', 2),
    ],
    run: ({ drain, ...plan }: RestartsPlan & { drain: number }) => runRestarts({ ...plan, drainSeconds: drain }),
    render: renderRestarts,
  }),
  campaign('failover', 'kill -9 of the primary of two databases, and promotion of its standby, under load', {
    options: [
      count('--rounds <count>', 'how many times', 50),
      count('--clients <count>', 'how many change objects at once', 4),
      new Option(
        '--through-pgbouncer',
        'with PgBouncer in between, which leads to the new primary after each promotion',
      ).default(false),
      seed(),
    ],
    run: runFailover,
    render: renderFailover,
    reportName: ({ throughPgbouncer }) => `failover${throughPgbouncer ? '-pgbouncer' : ''}`,
  }),
  campaign('expressions', 'random expressions compared with Java, and texts with bytes changed', {
    options: [
      count('--expressions <count>', 'how many are compared', 10_000),
      count('--mutations <count>', 'how many texts are changed', 1_000_000),
      seed(),
    ],
    run: runExpressions,
    render: renderExpressions,
  }),
  campaign('matching', 'kill -9 of one of two matching processes under load', {
    options: [
      kills(100),
      clients(6),
      count('--halts <count>', 'how often one is halted in the middle of a batch', 3),
      seed(),
    ],
    run: runMatching,
    render: renderMatching,
  }),
  campaign('delivery', 'kill -9 of processes and database while receivers fail', {
    options: [
      kills(300),
      clients(6),
      count('--halts <count>', 'how often a process is halted for longer than its lease', 10),
      seed(),
    ],
    run: runDelivery,
    render: renderDelivery,
  }),
  campaign('order', 'kill -9 of processes, database and receiver of an ordered subscription', {
    options: [
      count('--objects <count>', 'how many are changed', 50),
      count('--changes <count>', 'how many changes', 20_000),
      kills(50),
      seed(),
    ],
    run: runOrder,
    render: renderOrder,
  }),
  campaign('throttle', 'subscriptions with a rate, over two processes', {
    options: [
      count('--subscriptions <count>', 'how many have a rate; as many have none', 20),
      count('--rate <count>', 'attempts per second of each', 5),
      count('--seconds <count>', 'how long the rates are measured', 60),
    ],
    run: ({ rate, ...plan }: ThrottlePlan & { rate: number }) => runThrottle({ ...plan, ratePerSecond: rate }),
    render: renderThrottle,
  }),
  campaign('nats', 'kill -9 of one of three NATS servers while changes are published', {
    options: [
      count('--seconds <count>', 'how long', 120),
      count('--kill-every <seconds>', 'how often one is killed', 5),
      count('--objects <count>', 'how many are changed', 50),
      seed(),
    ],
    run: runNats,
    render: renderNats,
  }),
  campaign('stream', 'kill -9 of the consumer of a stream, and of processes and database', {
    options: [
      new Option('--consumer <name>', 'how it fetches').choices(consumerNames).default('node'),
      count('--changes <count>', 'how many changes', 50_000),
      count('--kills <count>', 'how many times the consumer is killed', 100),
      count('--process-kills <count>', 'how many times a process of the service is', 10),
      count('--database-kills <count>', 'how many times the database is', 5),
      seed(),
    ],
    run: runStream,
    render: renderStream,
    reportName: ({ consumer }: StreamPlan) => (consumer === 'node' ? 'stream' : `stream-${consumer}`),
  }),
  campaign('stalls', 'workers are stopped, or cut off from the database, at random statements', {
    options: [
      count('--stalls <count>', 'how many times', 200),
      new Option('--dist <folder>', 'the compiled service of another version'),
      clients(6),
      seed(),
    ],
    run: runStalls,
    render: renderStalls,
  }),
  campaign('hardships', 'full disk, frozen database, clock steps, few descriptors, little memory', {
    options: [
      count('--seconds <count>', 'how long each lasts', 20),
      new Option('--only <name>', 'one of them').choices(hardships.map(({ name }) => name)),
      seed(),
    ],
    run: runHardships,
    render: renderHardships,
  }),
  campaign('life-cycle', 'a receiver that fails, in real time with the default settings', {
    options: [],
    run: ({ tell }: { tell: Tell }) => runLifeCycle(tell),
    render: renderLifeCycle,
  }),
  campaign('backlog', 'a start when very many notifications are due', {
    options: [
      count('--rows <count>', 'how many', 1_000_000),
      count('--receivers <count>', 'for how many receivers', 50),
    ],
    run: runBacklog,
    render: renderBacklog,
  }),
  campaign('sandbox', 'scripts and stylesheets of which one in ten is hostile', {
    options: [
      minutes('--minutes <count>', 'how long; may be a fraction', 10),
      count('--per-second <count>', 'how many changes a second', 10),
    ],
    run: runSandbox,
    render: renderSandbox,
  }),
  campaign('schemathesis', 'requests made from the API description by schemathesis', {
    options: [
      count('--examples <count>', 'how many random ones per operation and phase, at most', 20),
      new Option('--paths <expression>', 'only paths that match this regular expression'),
      seed(),
    ],
    run: runSchemathesis,
    render: renderSchemathesis,
  }),
  attack('starve', 40, 'one client asks for large lists on many connections'),
  attack('unread', 120, 'one client reads none of its answers'),
  attack('swell', 24, 'one client asks for single objects that are large'),
];

function attack(kind: AttackPlan['kind'], connections: number, description: string): Campaign {
  return campaign(kind, description, {
    options: [
      count('--connections <count>', 'how many', connections),
      count('--voyages <count>', 'how many, with 20 port calls each', 800),
      count('--seconds <count>', 'how long without the attack, and under it', 30),
      new Option('--dist <folder>', 'another build of the service, to compare with'),
    ],
    run: (plan: AttackPlan) => runAttack({ ...plan, kind }),
    render: renderAttack,
    reportName: ({ dist }) => (dist === undefined ? kind : `${kind}-other-build`),
  });
}
