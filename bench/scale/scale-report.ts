// The report of the scale benchmark.

import { type Report, renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { Measured, Point, ProcessorUs } from './measure-point.ts';
import { fitModel, type MeasuredPoint, type Model, predict, processorsFor } from './model.ts';
import type { MeasuredRounds } from './scale-benchmark.ts';
import type { Sizes } from './sizes.ts';

export interface ScaleMeasurements {
  sizes: Sizes;
  measured: MeasuredRounds[];
}

export function scaleReport({ sizes, measured }: ScaleMeasurements, rest: Pick<Report, 'ledger' | 'facts'>): Report {
  const points = measured.map(({ point, rounds }) => ({ point, measured: medianOf(rounds) }));
  const model = modelOf(points, sizes);
  return {
    title: 'Scale: more processes, and what a load needs',
    introduction:
      'Changes of voyages by PUT in a closed loop, each received by subscribers to all voyages with the whole voyage ' +
      'as the resource. Each installation has as many processes of the role `api` as of the role `worker`, on an ' +
      'embedded PostgreSQL with its default, durable settings; load generator and receivers are on the same machine. ' +
      `Medians of ${sizes.rounds} rounds of ${sizes.durationMs / 1000} s.`,
    verdicts: verdictsOf(points, model, sizes),
    sections: [
      demandsOf(model),
      pointsOf(measured, points, model, sizes),
      contentionOf(points, sizes),
      capacityOf(model, points, sizes),
    ],
    ...rest,
  };
}

function medianOf(rounds: readonly Measured[]): Measured {
  const median = (value: (round: Measured) => number) => spreadOf(rounds.map(value)).median;
  const us = (part: keyof ProcessorUs) => median(({ processorUs }) => processorUs[part]);
  const waits = new Set(rounds.flatMap(({ contention }) => [...contention.waits.keys()]));
  return {
    changes: median(({ changes }) => changes),
    failures: median(({ failures }) => failures),
    notifications: median(({ notifications }) => notifications),
    changesPerSecond: median(({ changesPerSecond }) => changesPerSecond),
    responseMs: median(({ responseMs }) => responseMs),
    p99Ms: median(({ p99Ms }) => p99Ms),
    processorUs: { api: us('api'), worker: us('worker'), database: us('database'), bench: us('bench') },
    busyProcessors: median(({ busyProcessors }) => busyProcessors),
    contention: {
      waits: new Map([...waits].map((wait) => [wait, median(({ contention }) => contention.waits.get(wait) ?? 0)])),
      walBytes: median(({ contention, changes }) => contention.walBytes / changes),
    },
  };
}

/** Fitted to one process of each role: the fewest and the most receivers, and a single connection. */
function modelOf(points: readonly MeasuredPoint[], sizes: Sizes): Model {
  const [few, many, single] = fittedTo(sizes).map((wanted) => points.find(({ point }) => isSame(point, wanted))!);
  return fitModel({ few: few!, many: many!, single: single! });
}

function fittedTo({ connections, receivers }: Sizes): Point[] {
  const [least, most] = [receivers[0]!, receivers.at(-1)!];
  return [
    { processes: 1, connections: connections.at(-1)!, receivers: least },
    { processes: 1, connections: connections.at(-1)!, receivers: most },
    { processes: 1, connections: connections[0]!, receivers: least },
  ];
}

function isSame(one: Point, other: Point): boolean {
  return (
    one.processes === other.processes && one.connections === other.connections && one.receivers === other.receivers
  );
}

function isFitted(point: Point, sizes: Sizes): boolean {
  return fittedTo(sizes).some((each) => isSame(each, point));
}

const errorMax = 0.2;

function verdictsOf(points: readonly MeasuredPoint[], model: Model, sizes: Sizes): Verdict[] {
  const errors = points
    .filter(({ point }) => !isFitted(point, sizes))
    .map(({ point, measured }) => ({ point, error: errorOf(predict(model, point).changesPerSecond, measured) }));
  const worst = errors.reduce((one, other) => (Math.abs(other.error) > Math.abs(one.error) ? other : one));
  const what = `the largest error of a predicted rate (${inWords(worst.point)})`;
  return [judge({ what, kind: 'atMost', value: errorMax }, Math.abs(worst.error))];
}

function errorOf(predicted: number, { changesPerSecond }: Measured): number {
  return predicted / changesPerSecond - 1;
}

function inWords({ processes, connections, receivers }: Point): string {
  return `${processes} of each role, ${connections} connections, ${receivers} receivers`;
}

function demandsOf({ demands, processors, fixedMs }: Model): Section {
  const { ofChange, ofNotification } = demands;
  const row = (name: string, part: keyof ProcessorUs) => [
    name,
    renderNumber(ofChange[part]),
    renderNumber(ofNotification[part]),
  ];
  return {
    heading: 'The model',
    text:
      'Microseconds of processor time, fitted to the points marked in the next table. All parts share ' +
      `${renderNumber(processors, 2)} processors. Besides processor time, a request takes ` +
      `${renderNumber(fixedMs, 1)} ms (disk and network).`,
    table: {
      columns: ['', 'Of a change', 'Of a notification'],
      rows: [
        row('api', 'api'),
        row('worker', 'worker'),
        row('PostgreSQL', 'database'),
        row('load generator and receivers', 'bench'),
      ],
    },
  };
}

function pointsOf(
  rounds: readonly MeasuredRounds[],
  points: readonly MeasuredPoint[],
  model: Model,
  sizes: Sizes,
): Section {
  const rows = points.map(({ point, measured }, n) => {
    const predicted = predict(model, point);
    const error = errorOf(predicted.changesPerSecond, measured);
    const { api, worker, database } = measured.processorUs;
    return [
      String(point.processes),
      String(point.connections),
      String(point.receivers),
      renderSpread(spreadOf(rounds[n]!.rounds.map(({ changesPerSecond }) => changesPerSecond))),
      renderNumber(predicted.changesPerSecond),
      isFitted(point, sizes) ? 'fitted' : `${error > 0 ? '+' : ''}${renderNumber(error * 100)} %`,
      renderNumber(measured.responseMs, 1),
      renderNumber(predicted.responseMs, 1),
      renderNumber(measured.p99Ms, 1),
      [api, worker, database].map((us) => renderNumber(us)).join(' / '),
      renderNumber(measured.contention.walBytes),
    ];
  });
  return {
    heading: 'Measured and predicted',
    text:
      'Changes per second until every receiver has them. The response time is the mean. Processor time is that of ' +
      'api, worker and PostgreSQL for a change with its notifications, in microseconds; the log (WAL) is in bytes.',
    table: {
      columns: [
        'Processes per role',
        'Connections',
        'Receivers',
        'Changes/s',
        'Predicted',
        'Error',
        'Response ms',
        'Predicted',
        'p99 ms',
        'api / worker / PostgreSQL µs',
        'WAL',
      ],
      rows,
    },
  };
}

function contentionOf(points: readonly MeasuredPoint[], { connections, receivers }: Sizes): Section {
  const shown = points.filter(
    ({ point }) => point.connections === connections.at(-1) && point.receivers === receivers[0],
  );
  const names = [...new Set(shown.flatMap(({ measured }) => [...measured.contention.waits.keys()]))];
  const mean = (name: string) => Math.max(...shown.map(({ measured }) => measured.contention.waits.get(name) ?? 0));
  const rows = names
    .filter((name) => mean(name) >= shownFrom)
    .sort((one, other) => mean(other) - mean(one))
    .map((name) => [name, ...shown.map(({ measured }) => renderNumber(measured.contention.waits.get(name) ?? 0, 2))]);
  return {
    heading: 'What statements wait for',
    text: 'Statements in progress in PostgreSQL at a time, on average, by what they wait for.',
    table: { columns: ['', ...shown.map(({ point }) => `${point.processes} of each role`)], rows },
  };
}

const shownFrom = 0.02;

const loads = [1_000, 10_000, 100_000];
const busyMax = 0.6;

function capacityOf(model: Model, points: readonly MeasuredPoint[], sizes: Sizes): Section {
  const rows = [sizes.receivers[0]!, sizes.receivers.at(-1)!].flatMap((receivers) =>
    loads.map((notifications) => {
      const changesPerSecond = notifications / receivers;
      const needed = processorsFor(model, { changesPerSecond, receivers, busyMax });
      const { measured } = points.find(({ point }) => point.processes === 1 && point.receivers === receivers)!;
      return [
        renderNumber(notifications),
        String(receivers),
        renderNumber(needed.api, 1),
        renderNumber(needed.worker, 1),
        renderNumber(needed.database, 1),
        renderNumber((measured.contention.walBytes * changesPerSecond) / 1e6),
      ];
    }),
  );
  return {
    heading: 'What a load needs',
    text:
      `Processors like those of this machine, none of them busier than ${busyMax * 100} %, and the log (WAL) in MB ` +
      'per second. Calculated from the model, not measured.',
    table: { columns: ['Notifications/s', 'Receivers of a change', 'api', 'worker', 'PostgreSQL', 'WAL MB/s'], rows },
  };
}
