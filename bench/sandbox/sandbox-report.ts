// The results of the sandbox benchmark, as verdicts and tables.

import type { LatencyRound } from '../delivery/latencies.ts';
import { type Report, renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { WorkName } from './engine-work.ts';
import type { EngineComparison } from './engines.ts';
import { type Hearer, hearers, type Neighbours } from './neighbours.ts';
import type { BacklogRound, ScriptedBacklog } from './scripted-backlog.ts';
import { scriptsAtOnce, scriptsTrue } from './typical.ts';

export interface SandboxMeasurements {
  /** Of the voyage that scripts and stylesheets see. */
  objectBytes: number;
  xmlBytes: number;
  /** The requested ones. */
  engines: EngineComparison[] | undefined;
  backlog: ScriptedBacklog | undefined;
  neighbours: Neighbours | undefined;
}

const smokeNotice = '**A smoke run: it shows that everything works, and its numbers mean nothing.** ';

export function introduction(isQuick: boolean): string {
  return (
    `${isQuick ? smokeNotice : ''}Scripts and stylesheets of subscribers run in WebAssembly, in threads that can ` +
    'be killed, with limits of time and memory. What that costs is shown beside the same engines without any of ' +
    'it; what hostile ones do to others, beside the same changes without them. The service is a process of its own ' +
    `with the role \`worker\`, on an embedded PostgreSQL with its default, durable settings on the same machine.`
  );
}

export function verdictsOf({ engines = [], backlog, neighbours }: SandboxMeasurements): Verdict[] {
  const judged = engines.filter(({ work }) => work === 'one script' || work === 'stylesheet');
  return [
    ...judged.map(({ work, ours, bare }) =>
      judge(
        { what: `${judgedNames[work]}, of the engine alone`, kind: 'atLeast', value: 0.5 },
        ratios(ours, bare).median,
      ),
    ),
    ...(backlog ? [judgeBacklog(backlog)] : []),
    ...(neighbours ? judgeNeighbours(neighbours) : []),
  ];
}

const judgedNames: Record<WorkName, string> = {
  'one script': 'calls of a typical script',
  'hundred scripts': 'calls of a hundred scripts',
  'hundred scripts, parsed once': 'calls of a hundred scripts',
  stylesheet: 'transforms with a typical stylesheet',
};

function judgeBacklog({ ours, bare }: ScriptedBacklog): Verdict {
  return judge(
    { what: `changes with ${scriptsAtOnce} scripts, of the engine alone`, kind: 'atLeast', value: 0.5 },
    ratios(ours.map(rate), bare.map(rate)).median,
  );
}

function judgeNeighbours({ rounds }: Neighbours): Verdict[] {
  const [without, ...others] = [...rounds];
  return others.flatMap(([name, some]) =>
    hearers.map((hearer) =>
      judge(
        { what: `p99 of those ${hearer}, beside ${name}, of that without`, kind: 'atMost', value: 2 },
        ratios(p99s(some, hearer), p99s(without![1], hearer)).median,
      ),
    ),
  );
}

const rate = ({ eventsPerSecond }: BacklogRound) => eventsPerSecond;

function p99s(rounds: readonly Record<Hearer, LatencyRound>[], hearer: Hearer): number[] {
  return rounds.map((round) => round[hearer].p99);
}

export function sectionsOf(measurements: SandboxMeasurements): Report['sections'] {
  const { engines, backlog, neighbours } = measurements;
  return [
    ...(engines ? [enginesSection(measurements, engines)] : []),
    ...(backlog ? [backlogSection(backlog)] : []),
    ...(neighbours ? [neighboursSection(neighbours)] : []),
  ];
}

const workNames: Record<WorkName, string> = {
  'one script': 'one script, another change each time',
  'hundred scripts': 'a hundred scripts for each change',
  'hundred scripts, parsed once': 'the same; the engine alone parses once, too',
  stylesheet: 'one stylesheet, another object each time',
};

function enginesSection({ objectBytes, xmlBytes }: SandboxMeasurements, engines: EngineComparison[]): Section {
  return {
    heading: 'Calls a second',
    text:
      `Median of ${engines[0]!.ours.length} rounds, in turns; in parentheses between which values the middle half ` +
      'of them lay. Ours: through one thread of the sandbox, in batches of 200 as the loop has them. The engine ' +
      'alone: in one thread, everything compiled once, no limits; it parses both objects for each call. A voyage ' +
      `with its port calls and cargo: ${renderNumber(objectBytes)} bytes of JSON, new and old, for a script; ` +
      `${renderNumber(xmlBytes)} bytes of XML for a stylesheet. With a hundred scripts for each change, of which ` +
      `${scriptsTrue} answer true, ours parses an object once for all of them.`,
    table: {
      columns: ['', 'Ours', 'The engine alone', 'Ratio'],
      rows: engines.map(({ work, ours, bare }) => [
        workNames[work],
        renderSpread(spreadOf(ours)),
        renderSpread(spreadOf(bare)),
        renderSpread(ratios(ours, bare), 2),
      ]),
    },
  };
}

function backlogSection({ sizes, ours, bare }: ScriptedBacklog): Section {
  const row = (name: string, value: (round: BacklogRound) => number, digits = 0) => [
    name,
    ...[ours, bare].map((rounds) => renderMaybe(rounds.map(value), digits)),
  ];
  return {
    heading: `Changes that ${scriptsAtOnce} scripts hear of`,
    text:
      `${renderNumber(sizes.events)} changes that became visible at once to an idle worker, ${sizes.rounds} rounds ` +
      `in turns with the engine alone; ${scriptsTrue} of the scripts let a change through with a message, and each ` +
      'of these is delivered. From the first that were prepared to the last.',
    table: {
      columns: ['', 'Ours', `The engine alone, by ${scriptsAtOnce}`],
      rows: [
        row('changes per second', rate, 1),
        row('script calls per second', (round) => rate(round) * scriptsAtOnce),
        ['ratio', renderSpread(ratios(ours.map(rate), bare.map(rate)), 2), ''],
        row('processor time of the worker for a change, µs', ({ workerUs }) => workerUs),
        row('processor time of PostgreSQL for a change, µs', ({ databaseUs }) => databaseUs),
      ],
    },
  };
}

function renderMaybe(values: number[], digits: number): string {
  return values.some(Number.isNaN) ? '' : renderSpread(spreadOf(values), digits);
}

function neighboursSection({ sizes, rounds }: Neighbours): Section {
  const rows = [...rounds].flatMap(([name, some]) =>
    hearers.map((hearer) => [
      name,
      hearer,
      ...(['p50', 'p99', 'max'] as const).map((what) =>
        renderSpread(spreadOf(some.map((round) => round[hearer][what])), 1),
      ),
    ]),
  );
  return {
    heading: 'Beside hostile neighbours',
    text:
      `${sizes.perSecond} changes a second by SQL, which all subscriptions match (many hostile ones: each of one ` +
      `voyage); milliseconds from the moment that a change is due to its receiver, median of ${sizes.rounds} ` +
      `rounds, in turns, each of ${renderNumber(sizes.durationMs / 1000)} s.`,
    table: { columns: ['The hostile neighbour', 'Subscription', 'p50', 'p99', 'at most'], rows },
  };
}
