// The queueing model of the scale benchmark: it reproduces what it was fitted to, and respects its limits.

import { expect, test } from 'vitest';
import type { Measured, Point } from '../../bench/scale/measure-point.ts';
import { fitModel, predict, processorsFor, usOf } from '../../bench/scale/model.ts';

const contention = { waits: new Map<string, number>(), walBytes: 0 };

function pointOf(point: Partial<Point>, measured: Partial<Measured>) {
  const rest = { changes: 1, failures: 0, notifications: 1, changesPerSecond: 0, p99Ms: 0, contention };
  return {
    point: { processes: 1, connections: 32, receivers: 1, ...point },
    measured: {
      ...rest,
      responseMs: 0,
      busyProcessors: 2,
      processorUs: { api: 0, worker: 0, database: 0, bench: 0 },
      ...measured,
    },
  };
}

// A change: 400 + 100 + 300 + 100; a notification: 0 + 150 + 100 + 50.
const few = pointOf({}, { processorUs: { api: 400, worker: 250, database: 400, bench: 150 } });
const many = pointOf({ receivers: 10 }, { processorUs: { api: 400, worker: 1600, database: 1300, bench: 600 } });
const single = pointOf({ connections: 1 }, { responseMs: 3 });
const model = fitModel({ few, many, single });

test('what it was fitted to is what it says', () => {
  expect(usOf(model.demands, 1)).toEqual(few.measured.processorUs);
  expect(usOf(model.demands, 10)).toEqual(many.measured.processorUs);
  // 0.8 ms of the 3 are processor time.
  expect(model.fixedMs).toBeCloseTo(2.2);
  expect(predict(model, single.point).responseMs).toBeCloseTo(3);
});

test('many connections reach what the processors carry, and no more', () => {
  const point = { processes: 2, connections: 1_000, receivers: 1 };
  expect(predict(model, point).changesPerSecond).toBeCloseTo(2e6 / 1_200, 0);
});

test('one process of a role carries no more than one processor does', () => {
  const wide = { ...model, processors: 64 };
  const at = (processes: number) => predict(wide, { processes, connections: 10_000, receivers: 10 }).changesPerSecond;
  expect(at(1)).toBeCloseTo(1e6 / 1_600, 0);
  expect(at(2) / at(1)).toBeCloseTo(2, 1);
});

test('more connections mean more changes, and a longer response', () => {
  const predicted = [1, 2, 4, 8, 16].map((connections) => predict(model, { processes: 1, connections, receivers: 1 }));
  const sorted = <T>(values: T[]) =>
    expect(values).toEqual([...values].sort((one, other) => Number(one) - Number(other)));
  sorted(predicted.map(({ changesPerSecond }) => changesPerSecond));
  sorted(predicted.map(({ responseMs }) => responseMs));
});

test('the processors that a load needs grow with the load, and shrink with how busy they may be', () => {
  const needed = processorsFor(model, { changesPerSecond: 10_000, receivers: 1, busyMax: 0.5 });
  expect(needed.api).toBeCloseTo(8);
  expect(needed.database).toBeCloseTo(8);
  expect(needed.worker).toBeCloseTo(5);
});
