// What the metrics count, as Prometheus reads it.

import { expect, test } from 'vitest';
import { queueNames } from '../../src/observe/backlog.ts';
import { createMetrics, type Metrics } from '../../src/observe/metrics.ts';
import { metricsTable } from '../../src/observe/metrics-table.ts';
import type { Observation } from '../../src/observe/observation.ts';

const attempt = {
  kind: 'notification.attempted',
  channelType: 'HTTP',
  subscription: 1,
  notification: '1-1',
  outcome: 'delivered',
  durationMs: 30,
  reason: undefined,
  nextAttempt: undefined,
  lastAttempt: undefined,
} as const;

const request = {
  kind: 'request.completed',
  requestId: 'r',
  method: 'GET',
  route: '/ws/rest/:type',
  resource: 'Vessel',
  status: 200,
  durationMs: 2,
  errorCode: undefined,
} as const;

function count(...observations: Observation[]): Metrics {
  const metrics = createMetrics();
  for (const observation of observations) metrics.observe(observation);
  return metrics;
}

/** The samples of one metric. */
function samples(metrics: Metrics, name: string): string[] {
  return metrics
    .render(undefined)
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

test('each combination of labels is a series of its own', () => {
  const metrics = count(attempt, attempt, { ...attempt, outcome: 'retry' }, { ...attempt, channelType: 'EMAIL' });
  expect(samples(metrics, 'flaghoist_attempts_total')).toEqual([
    'flaghoist_attempts_total{channel="HTTP",outcome="delivered"} 2',
    'flaghoist_attempts_total{channel="HTTP",outcome="retry"} 1',
    'flaghoist_attempts_total{channel="EMAIL",outcome="delivered"} 1',
  ]);
});

test('one observation may count for several metrics, and several kinds for one', () => {
  const metrics = count(
    { kind: 'events.matched', events: 5, notifications: 3, suppressed: 1, durationMs: 1 },
    { kind: 'notifications.shaped', matches: 4, notifications: 2, suppressed: 2, durationMs: 1 },
  );
  expect(samples(metrics, 'flaghoist_events_matched_total')).toEqual(['flaghoist_events_matched_total 5']);
  expect(samples(metrics, 'flaghoist_shaped_total')).toEqual(['flaghoist_shaped_total 4']);
  expect(samples(metrics, 'flaghoist_matches_total')).toEqual([
    'flaghoist_matches_total{outcome="notified"} 5',
    'flaghoist_matches_total{outcome="suppressed"} 3',
  ]);
});

test('a request without a resource has an empty label', () => {
  expect(samples(count({ ...request, resource: undefined }), 'flaghoist_requests_total')).toEqual([
    'flaghoist_requests_total{route="/ws/rest/:type",resource="",method="GET",status="200"} 1',
  ]);
});

test('a bucket of a histogram includes the smaller ones', () => {
  const metrics = count(...[1, 2, 30, 60_000].map((durationMs) => ({ ...request, durationMs })));
  const name = 'flaghoist_request_duration_seconds';
  const labels = 'route="/ws/rest/:type",method="GET"';
  const buckets = samples(metrics, `${name}_bucket`);
  expect(buckets.map((line) => line.slice(line.lastIndexOf(' ') + 1)).map(Number)).toEqual([
    1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4,
  ]);
  expect(buckets[0]).toBe(`${name}_bucket{${labels},le="0.001"} 1`);
  expect(buckets.at(-1)).toBe(`${name}_bucket{${labels},le="+Inf"} 4`);
  expect(samples(metrics, `${name}_sum`)).toEqual([`${name}_sum{${labels}} 60.033`]);
  expect(samples(metrics, `${name}_count`)).toEqual([`${name}_count{${labels}} 4`]);
});

test('every row of the table is rendered once, with its help and type, in every process', () => {
  const [one, other] = [count(attempt), count()].map((metrics) => metrics.render(undefined));
  for (const { name, help, type } of metricsTable)
    for (const text of [one!, other!])
      expect(text.split(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`)).toHaveLength(2);
  expect(other).not.toContain('flaghoist_attempts_total{');
});

test('the backlog is there when it is known, and the rest in any case', () => {
  const metrics = count();
  const backlog = Object.fromEntries(queueNames.map((queue, n) => [queue, { waiting: n, oldestSeconds: n / 2 }]));
  const text = metrics.render(backlog as Parameters<Metrics['render']>[0]);
  expect(text).toContain('flaghoist_backlog{queue="parked"} 5\n');
  expect(text).toContain('flaghoist_backlog_age_seconds{queue="shaping"} 0.5\n');
  expect(metrics.render(undefined)).not.toContain('flaghoist_backlog{');
  expect(metrics.render(undefined)).toMatch(/^process_uptime_seconds [\d.]+$/m);
});
