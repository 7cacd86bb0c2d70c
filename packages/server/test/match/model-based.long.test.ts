// Random sequences of changes and subscriptions, by several users, over REST and by SQL, on the service and on a
// reference model in memory. The notifications are exactly those that the model predicts. MODEL_SEQUENCES sets the
// number of sequences, MODEL_SEED repeats a run.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { createFleet } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { matched } from './heard.ts';
import { type Compared, compare } from './model-based-compare.ts';
import { type Ground, SequenceRun } from './model-based-sequence.ts';
import { type Sequence, sequences, userCount } from './model-based-wishes.ts';
import { type Prediction, predict } from './reference-model-notifications.ts';

const sequencesWanted = Number(process.env.MODEL_SEQUENCES ?? 120);
const seed = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** How many run in parallel, each on its own objects, and are compared together. */
const groupSize = 60;
const rounds = 10;
const settledRounds = 4;

/** Sequences of a group that may subscribe to all objects of a type, and so are notified of the whole group. */
const wideSequences = 8;
/** Sequences of a group whose transactions may be open while others subscribe; each holds a connection. */
const earlySequences = 6;

const service = useTestService({ FLAGHOIST_DECISION_EVENTS_KEPT: '1000000' });
const ground: Ground = { service, fleet: undefined as never, users: [] };
const counted = ['transactions', 'changes', 'refused', 'subscriptions', 'notified', 'suppressed', 'uncertain'] as const;
const sum = Object.fromEntries(counted.map((name) => [name, 0])) as Record<(typeof counted)[number], number>;
let groups = 0;

beforeAll(async () => {
  const users = [];
  for (let count = 0; count < userCount; count += 1) users.push(await createClient(service, ['write', 'webhook']));
  Object.assign(ground, { fleet: await createFleet(service), users });
});

test(`${sequencesWanted} sequences lead to exactly the notifications that the model predicts (MODEL_SEED=${seed})`, {
  timeout: 60_000 + sequencesWanted * 1_500,
}, async () => {
  const size = Math.min(groupSize, sequencesWanted);
  const group = fc.record({
    all: fc.array(sequences(rounds), { minLength: size, maxLength: size }),
    /**
     * The rounds after which everything is matched before the next. In the others, subscriptions may change before.
     */
    settles: fc.shuffledSubarray(
      Array.from({ length: rounds }, (_, round) => round),
      { minLength: settledRounds, maxLength: settledRounds },
    ),
  });
  // Sampled instead of asserted: a group is too large to shrink, and a mistake is reported with the log of its
  // sequence.
  for (const { all, settles } of fc.sample(group, { numRuns: Math.ceil(sequencesWanted / size), seed })) {
    const compared = await runGroup(all, settles);
    for (const name of counted) sum[name] += compared[name];
    const shown = compared.problems.slice(0, 3).join('\n\n');
    expect(compared.problems.length, `${shown}\nMODEL_SEED=${seed}`).toBe(0);
  }
  const { notified, uncertain } = sum;
  const counts = counted.map((name) => `${sum[name]} ${name}`).join(', ');
  process.stderr.write(`MODEL_SEED=${seed}: ${groups * size} sequences, ${counts}\n`);
  // With hardly any notifications, hardly anything was tested.
  expect(notified).toBeGreaterThan(sequencesWanted * 5);
  expect(uncertain).toBeLessThan(notified / 2);
});

async function runGroup(all: readonly Sequence[], settles: readonly number[]): Promise<Compared> {
  groups += 1;
  const prefix = `g${groups}.`;
  const runs = all.map((_, index) => new SequenceRun(`${prefix}${index}`, ground, index < wideSequences));
  await eachOf(runs, (run) => run.start());
  await matched(service, 60_000);
  let inTheAir: Prediction[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isSettled = settles.includes(round) || round === rounds - 1;
    await eachOf(runs.slice(0, earlySequences), (run, index) => run.begin(all[index]![round]!));
    await eachOf(runs, async (run, index) => {
      for (const wish of all[index]![round]!.subscriptions) await run.subscribe(wish, inTheAir);
    });
    const before = runs.map(({ committed }) => committed.length);
    await eachOf(runs, (run, index) => run.change(all[index]![round]!));
    inTheAir.push(...predictRound(runs, before));
    if (!isSettled) continue;
    await matched(service, 60_000);
    inTheAir = [];
  }
  await eachOf(runs, (run) => run.unsubscribeWide());
  return await compare(service.database.pool, runs, prefix);
}

/** Subscriptions to a type are notified of every sequence; those to one object only of their own. */
function predictRound(runs: readonly SequenceRun[], before: readonly number[]): Prediction[] {
  const committed = runs.flatMap((run, index) => run.committed.slice(before[index]!));
  const made: Prediction[] = [];
  for (const subscribed of runs.flatMap((run) => run.subscribed)) {
    if (subscribed.state !== 'ACTIVE') continue;
    const predictions = committed.flatMap((transaction) => predict(subscribed.model, transaction));
    subscribed.predictions.push(...predictions);
    made.push(...predictions);
  }
  return made;
}

const atOnce = 8;

async function eachOf<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const entries = items.entries();
  const worker = async () => {
    for (const [index, item] of entries) await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
