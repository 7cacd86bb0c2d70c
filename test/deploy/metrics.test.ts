// The dashboard, the alert rules and the adapter use metrics, labels and values that the service has: a query for
// anything else shows nothing, and never fires.

import { expect, test } from 'vitest';
import { queueNames } from '../../packages/server/src/observe/backlog.ts';
import { type MetricRow, metricsTable } from '../../packages/server/src/observe/metrics-table.ts';
import { parseYaml, readDeployed } from './deploy-files.ts';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string; action: string } }[] }[];
}
interface Dashboard {
  panels: { id: number; title: string; gridPos: Box; targets?: { expr: string }[] }[];
}
interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

const dashboard = JSON.parse(readDeployed('grafana/flaghoist.json')) as Dashboard;
const rules = parseYaml<Rules>('prometheus/alerts.yaml')[0]!.groups.flatMap((group) => group.rules);
const [adapter] = parseYaml<{ externalRules: { seriesQuery: string; name: { as: string } }[] }>(
  'prometheus/adapter-rules.yaml',
);
const queries: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr])),
  ...adapter!.externalRules.map(({ seriesQuery, name }): [string, string] => [name.as, seriesQuery]),
];

/** Set by Prometheus. */
const labelsOfTarget = ['job', 'instance'];

/** What a query gets wrong. */
function checkQuery(query: string): string[] {
  const used = [...query.matchAll(/\b((?:flaghoist|process)_\w+|up)(?:\{([^}]*)\})?/g)];
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/, ?/));
  const rows = used.flatMap(([, name]) => rowOf(name!) ?? []);
  const known = [...labelsOfTarget, ...rows.flatMap((row) => labelsOf(row))];
  return [
    ...(used.length > 0 ? [] : ['names no metric']),
    ...used.flatMap(([, name, selector = '']) => checkSelector(name!, selector)),
    ...grouped.filter((label) => !known.includes(label)).map((label) => `by (${label})`),
  ];
}

function checkSelector(name: string, selector: string): string[] {
  const pairs = [...selector.matchAll(/(\w+)(?:=~?|!=|!~)"([^"]*)"/g)];
  const unknownJob = pairs.some(([, label, value]) => label === 'job' && value === 'flaghoist') ? [] : ['without job'];
  if (name === 'up') return unknownJob;
  const row = rowOf(name);
  if (!row) return [`no metric ${name}`];
  const wrong = pairs.filter(([, label, value]) => !labelsOfTarget.includes(label!) && !hasValue(row, label!, value!));
  return [...unknownJob, ...wrong.map(([pair]) => `${name} has no ${pair}`)];
}

/** Outcomes and incidents are named in the sentence of the metric. */
function hasValue(row: MetricRow, label: string, value: string): boolean {
  if (!labelsOf(row).includes(label)) return false;
  if (label === 'queue') return (queueNames as readonly string[]).includes(value);
  return label === 'status' || new RegExp(`\\b${value}\\b`).test(row.help);
}

function rowOf(name: string): MetricRow | undefined {
  return metricsTable.find((row) =>
    row.type === 'histogram'
      ? ['_bucket', '_sum', '_count'].some((ending) => name === row.name + ending)
      : name === row.name,
  );
}

function labelsOf({ labels = [], type }: MetricRow): readonly string[] {
  return type === 'histogram' ? [...labels, 'le'] : labels;
}

test.each(queries)('“%s” asks for metrics that the service has: %s', (_, query) => {
  expect(checkQuery(query)).toEqual([]);
});

test('a wrong metric, label, value or grouping is found', () => {
  expect(checkQuery('sum(flaghoist_events_total{job="flaghoist"})')).toEqual(['no metric flaghoist_events_total']);
  expect(checkQuery('flaghoist_backlog{job="flaghoist",queue="new"}')).toEqual([
    'flaghoist_backlog has no queue="new"',
  ]);
  expect(checkQuery('flaghoist_backlog{job="flaghoist",kind="events"}')).toHaveLength(1);
  expect(checkQuery('sum by (channel) (flaghoist_backlog{job="flaghoist"})')).toEqual(['by (channel)']);
  expect(checkQuery('flaghoist_attempt_duration_seconds{job="flaghoist"}')).toHaveLength(1);
});

test('the dashboard shows every metric of the service', () => {
  const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
  const missing = metricsTable.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}`).test(shown));
  expect(missing).toEqual(['process_uptime_seconds']);
});

test('panels have ids of their own and do not overlap', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const overlaps = panels.flatMap((one, index) =>
    panels.slice(index + 1).filter((other) => overlap(one.gridPos, other.gridPos)),
  );
  expect(overlaps).toEqual([]);
});

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

test('every alert says what is wrong and what to do', () => {
  for (const { alert, annotations } of rules) {
    expect(annotations.summary, alert).toMatch(/\.$/);
    expect(annotations.action, alert).toMatch(/\.$/);
  }
});
