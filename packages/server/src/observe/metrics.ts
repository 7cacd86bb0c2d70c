// The metrics: counts observations and renders them in the Prometheus text format, as `metrics-table.ts` says.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Backlog } from './backlog.ts';
import type { FailingSubscription } from './failing-subscription.ts';
import { Counter, Histogram, renderLabels, renderSample } from './metric.ts';
import {
  type Add,
  type CountedRow,
  type MetricRow,
  metricsTable,
  type ReadRow,
  type Sources,
} from './metrics-table.ts';
import type { Observation, Observe } from './observation.ts';

export interface Metrics {
  observe: Observe;
  /** Undefined: not known at the moment. */
  render(backlog: Backlog | undefined, failing?: readonly FailingSubscription[]): string;
}

export function createMetrics(): Metrics {
  const loopDelay = monitorEventLoopDelay({ resolution: 20 });
  loopDelay.enable();
  const counts: Counts = new Map();
  const renders = metricsTable.map((row) => {
    const render = 'counts' in row ? startCounting(row, counts) : (sources: Sources) => renderRead(row, sources);
    return (sources: Sources) => header(row) + render(sources);
  });
  return {
    observe: (observation) => {
      for (const count of counts.get(observation.kind) ?? []) count(observation);
    },
    render: (backlog, failing) => {
      const sources = { backlog, failing, loopDelaySeconds: loopDelay.percentile(99) / 1e9 };
      return renders.map((render) => render(sources)).join('');
    },
  };
}

/** By the kind of the observation, because there are thousands of observations a second. */
type Counts = Map<Observation['kind'], ((observation: Observation) => void)[]>;

/** Returns the function that renders the samples. */
function startCounting({ name, type, labels = [], counts: rowCounts }: CountedRow, counts: Counts): () => string {
  const metric = type === 'counter' ? new Counter(name) : new Histogram(name);
  const add: Add = (amount, ...values) => metric.add(amount, renderLabels(labels, values));
  for (const [kind, count] of Object.entries(rowCounts) as [Observation['kind'], AnyCount][])
    counts.set(kind, [...(counts.get(kind) ?? []), (observation) => count(add, observation)]);
  return () => metric.render();
}

/** The key of a function in a row is the kind of its observations. */
type AnyCount = (add: Add, observation: Observation) => void;

function renderRead({ name, labels = [], read }: ReadRow, sources: Sources): string {
  const lines: string[] = [];
  read((value, ...values) => lines.push(renderSample(name, renderLabels(labels, values), value)), sources);
  return lines.join('');
}

function header({ name, help, type }: MetricRow): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}
