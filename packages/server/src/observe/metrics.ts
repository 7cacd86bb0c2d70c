// The metrics: counts observations and renders them in the Prometheus text format. Labels come from closed sets
// (routes, resources, status codes), never from caller input, so the number of series is bounded.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { byChannelType, type ChannelType } from '../channel-types.ts';
import type { Observation, Observe } from './observation.ts';

export interface Metrics {
  observe: Observe;
  render(): string;
}

export function createMetrics(): Metrics {
  const requests = new Counter('flaghoist_requests_total', 'Requests answered, by route, resource, method and status.');
  const durations = new Histogram(
    'flaghoist_request_duration_seconds',
    'Time from the first byte of a request to the last of its answer.',
  );
  const refused = new Counter('flaghoist_requests_refused_total', 'Requests that broke HTTP itself, by status.');
  const tokens = new Counter('flaghoist_token_requests_total', 'Token requests, by outcome.');
  const database = new Counter(
    'flaghoist_database_incidents_total',
    'Lost connections, exits and restarts of the database.',
  );
  const matched = new Counter('flaghoist_events_matched_total', 'Events matched with subscriptions.');
  const outcomes = new Counter('flaghoist_matches_total', 'What events led to, by outcome.');
  const matchingFaults = new Counter(
    'flaghoist_matching_failures_total',
    'Batches of events that could not be matched.',
  );
  const prepared = new Counter('flaghoist_prepared_total', 'Notifications that a script or a stylesheet was run for.');
  const preparingFaults = new Counter(
    'flaghoist_preparing_failures_total',
    'Times that scripts and stylesheets could not be run for a reason of our own.',
  );
  const attempts = new Counter(
    'flaghoist_attempts_total',
    'Attempts to deliver notifications, by channel and outcome.',
  );
  const attemptDurations = new Histogram('flaghoist_attempt_duration_seconds', 'How long attempts took, by channel.');
  const deactivations = new Counter(
    'flaghoist_deactivations_total',
    'Subscriptions deactivated for failed deliveries.',
  );
  const deliveryFaults = new Counter(
    'flaghoist_delivery_failures_total',
    'Times that delivery could not go on for a reason of its own.',
  );
  const loopDelay = monitorEventLoopDelay({ resolution: 20 });
  loopDelay.enable();

  const observe = (observation: Observation): void => {
    switch (observation.kind) {
      case 'request.completed': {
        const { route, resource = '', method, status, durationMs } = observation;
        requests.add(`route="${route}",resource="${resource}",method="${method}",status="${status}"`);
        durations.add(`route="${route}",method="${method}"`, durationMs / 1000);
        break;
      }
      case 'token.issued':
        tokens.add('outcome="issued"');
        break;
      case 'token.refused':
        tokens.add(`outcome="${observation.error}"`);
        break;
      case 'events.matched':
        matched.add('', observation.events);
        outcomes.add('outcome="notified"', observation.notifications);
        outcomes.add('outcome="held back"', observation.suppressed);
        break;
      case 'notifications.shaped':
        outcomes.add('outcome="notified"', observation.notifications);
        outcomes.add('outcome="held back"', observation.suppressed);
        prepared.add('', observation.matches);
        break;
      case 'preparing.failed':
        preparingFaults.add('');
        break;
      case 'matching.failed':
        matchingFaults.add('');
        break;
      case 'notification.attempted':
        attempts.add(attemptLabels[observation.channelType][observation.outcome]);
        attemptDurations.add(channelLabels[observation.channelType], observation.durationMs / 1000);
        break;
      case 'subscription.deactivated':
        deactivations.add('');
        break;
      case 'delivery.failed':
        deliveryFaults.add('');
        break;
      case 'request.refused':
        refused.add(`status="${observation.status}"`);
        break;
      case 'database.connectionLost':
      case 'database.unavailable':
      case 'database.exited':
      case 'database.restarted':
        database.add(`incident="${observation.kind.slice('database.'.length)}"`);
        break;
      default:
    }
  };

  const render = () =>
    [
      requests.render(),
      durations.render(),
      refused.render(),
      tokens.render(),
      database.render(),
      matched.render(),
      outcomes.render(),
      matchingFaults.render(),
      prepared.render(),
      preparingFaults.render(),
      attempts.render(),
      attemptDurations.render(),
      deactivations.render(),
      deliveryFaults.render(),
      renderProcess(loopDelay.percentile(99) / 1e9),
    ].join('');
  return { observe, render };
}

/** Built once, because every attempt needs a label. */
const channelLabels = byChannelType((channel) => `channel="${channel}"`);
const attemptLabels = byChannelType(outcomeLabels);

function outcomeLabels(channel: ChannelType) {
  const labelsOf = (outcome: string) => `${channelLabels[channel]},outcome="${outcome}"`;
  return {
    delivered: labelsOf('delivered'),
    retry: labelsOf('retry'),
    failure: labelsOf('failure'),
    postponed: labelsOf('postponed'),
  };
}

class Counter {
  readonly #values = new Map<string, number>();
  readonly name: string;
  readonly help: string;

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  add(labels: string, amount = 1): void {
    this.#values.set(labels, (this.#values.get(labels) ?? 0) + amount);
  }

  render(): string {
    const lines = [...this.#values].map(
      ([labels, value]) => `${this.name}${labels === '' ? '' : `{${labels}}`} ${value}\n`,
    );
    return header(this.name, this.help, 'counter') + lines.join('');
  }
}

const bucketBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

class Histogram {
  readonly #series = new Map<string, { buckets: number[]; sum: number; count: number }>();
  readonly name: string;
  readonly help: string;

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  add(labels: string, value: number): void {
    let series = this.#series.get(labels);
    if (!series) {
      series = { buckets: bucketBounds.map(() => 0), sum: 0, count: 0 };
      this.#series.set(labels, series);
    }
    const index = bucketBounds.findIndex((bound) => value <= bound);
    if (index >= 0) series.buckets[index]! += 1;
    series.sum += value;
    series.count += 1;
  }

  render(): string {
    const lines = [...this.#series].flatMap(([labels, { buckets, sum, count }]) => {
      let below = 0;
      const rows = buckets.map((inBucket, index) => {
        below += inBucket;
        return `${this.name}_bucket{${labels},le="${bucketBounds[index]}"} ${below}\n`;
      });
      return [
        ...rows,
        `${this.name}_bucket{${labels},le="+Inf"} ${count}\n`,
        `${this.name}_sum{${labels}} ${sum}\n`,
        `${this.name}_count{${labels}} ${count}\n`,
      ];
    });
    return header(this.name, this.help, 'histogram') + lines.join('');
  }
}

function renderProcess(loopDelaySeconds: number): string {
  const cpu = process.cpuUsage();
  return [
    gauge('process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
    header('process_cpu_seconds_total', 'CPU time of the process.', 'counter') +
      `process_cpu_seconds_total ${(cpu.user + cpu.system) / 1e6}\n`,
    gauge('process_uptime_seconds', 'Time since the process started.', process.uptime()),
    gauge('flaghoist_event_loop_delay_seconds', 'Delay of the event loop, 99th percentile.', loopDelaySeconds),
  ].join('');
}

function gauge(name: string, help: string, value: number): string {
  return `${header(name, help, 'gauge')}${name} ${value}\n`;
}

export function header(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}
