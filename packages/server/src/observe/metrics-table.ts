// All metrics, as one table. A row says what counts: for each kind of observation, what it adds; or what is read when
// the metrics are rendered. Label values come from closed sets (routes, resources, status codes), never from caller
// input, so the number of series is bounded. Subscriptions are labels only of the few that fail most.

import { type Backlog, countedMax, queueNames } from './backlog.ts';
import type { FailingSubscription } from './failing-subscription.ts';
import type { LabelValue } from './metric.ts';
import type { Observation } from './observation.ts';

export type MetricRow = CountedRow | ReadRow;

interface Described {
  name: string;
  help: string;
  labels?: readonly string[];
}

export interface CountedRow extends Described {
  type: 'counter' | 'histogram';
  counts: { [Kind in Observation['kind']]?: (add: Add, observation: Extract<Observation, { kind: Kind }>) => void };
}

export interface ReadRow extends Described {
  type: 'counter' | 'gauge';
  read(add: Add, sources: Sources): void;
}

/** `labels`: the values, in the order of the names in the row. */
export type Add = (amount: number, ...labels: LabelValue[]) => void;

export interface Sources {
  backlog: Backlog | undefined;
  /** Those that fail most. Undefined: not known at the moment. */
  failing: readonly FailingSubscription[] | undefined;
  /** The 99th percentile. */
  loopDelaySeconds: number;
}

export const metricsTable: readonly MetricRow[] = [
  {
    name: 'flaghoist_requests_total',
    type: 'counter',
    help: 'Requests that got a response.',
    labels: ['route', 'resource', 'method', 'status'],
    counts: {
      'request.completed': (add, { route, resource = '', method, status }) => add(1, route, resource, method, status),
    },
  },
  {
    name: 'flaghoist_request_duration_seconds',
    type: 'histogram',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labels: ['route', 'method'],
    counts: { 'request.completed': (add, { route, method, durationMs }) => add(durationMs / 1000, route, method) },
  },
  {
    name: 'flaghoist_requests_refused_total',
    type: 'counter',
    help: 'Requests rejected because they are not valid HTTP.',
    labels: ['status'],
    counts: { 'request.refused': (add, { status }) => add(1, status) },
  },
  {
    name: 'flaghoist_token_requests_total',
    type: 'counter',
    help: 'Token requests, by outcome: issued, or the name of the error.',
    labels: ['outcome'],
    counts: {
      'token.issued': (add) => add(1, 'issued'),
      'token.refused': (add, { error }) => add(1, error),
    },
  },
  {
    name: 'flaghoist_console_sign_ins_total',
    type: 'counter',
    help: 'Sign-ins to the console, by outcome: signedIn, rejected, usedLink, expiredLink, noAccess or tooMany.',
    labels: ['method', 'outcome'],
    counts: {
      'console.signedIn': (add, { method }) => add(1, method, 'signedIn'),
      'console.signInRefused': (add, { method, reason }) => add(1, method, reason),
    },
  },
  {
    name: 'flaghoist_database_incidents_total',
    type: 'counter',
    help: 'Incidents of the database: connectionLost, unavailable, primaryChanged, exited or restarted.',
    labels: ['incident'],
    counts: {
      'database.connectionLost': (add) => add(1, 'connectionLost'),
      'database.unavailable': (add) => add(1, 'unavailable'),
      'database.primaryChanged': (add) => add(1, 'primaryChanged'),
      'database.exited': (add) => add(1, 'exited'),
      'database.restarted': (add) => add(1, 'restarted'),
    },
  },
  {
    name: 'flaghoist_events_matched_total',
    type: 'counter',
    help: 'Events matched with subscriptions.',
    counts: { 'events.matched': (add, { events }) => add(events) },
  },
  {
    name: 'flaghoist_matches_total',
    type: 'counter',
    help: 'Matches of an event with a subscription, by outcome: notified or suppressed.',
    labels: ['outcome'],
    counts: { 'events.matched': addOutcomes, 'notifications.shaped': addOutcomes },
  },
  {
    name: 'flaghoist_matching_failures_total',
    type: 'counter',
    help: 'Batches of events that could not be matched.',
    counts: { 'matching.failed': (add) => add(1) },
  },
  {
    name: 'flaghoist_shaped_total',
    type: 'counter',
    help: 'Matches that a script or stylesheet was run for.',
    counts: { 'notifications.shaped': (add, { matches }) => add(matches) },
  },
  {
    name: 'flaghoist_shaping_failures_total',
    type: 'counter',
    help: 'Times that scripts or stylesheets could not be run because of a fault in the service.',
    counts: { 'shaping.failed': (add) => add(1) },
  },
  {
    name: 'flaghoist_attempts_total',
    type: 'counter',
    help: 'Attempts to deliver a notification, by outcome: delivered, retry, failure or postponed.',
    labels: ['channel', 'outcome'],
    counts: { 'notification.attempted': (add, { channelType, outcome }) => add(1, channelType, outcome) },
  },
  {
    name: 'flaghoist_attempt_duration_seconds',
    type: 'histogram',
    help: 'Duration of the attempts to deliver a notification.',
    labels: ['channel'],
    counts: { 'notification.attempted': (add, { channelType, durationMs }) => add(durationMs / 1000, channelType) },
  },
  {
    name: 'flaghoist_deactivations_total',
    type: 'counter',
    help: 'Subscriptions deactivated because deliveries failed.',
    counts: { 'subscription.deactivated': (add) => add(1) },
  },
  {
    name: 'flaghoist_alerts_total',
    type: 'counter',
    help: 'Messages to the alert URL, by outcome: sent; failed, and to be retried; givenUp, after a day.',
    labels: ['outcome'],
    counts: {
      'alert.sent': (add) => add(1, 'sent'),
      'alert.failed': (add) => add(1, 'failed'),
      'alert.givenUp': (add) => add(1, 'givenUp'),
    },
  },
  {
    name: 'flaghoist_delivery_failures_total',
    type: 'counter',
    help: 'Times that delivery could not continue for a reason other than a receiver.',
    counts: { 'delivery.failed': (add) => add(1) },
  },
  {
    name: 'flaghoist_backlog',
    type: 'gauge',
    help: `Items that wait in a queue in the database, for any process. Counted up to ${countedMax}.`,
    labels: ['queue'],
    read: (add, { backlog }) => {
      if (backlog) for (const queue of queueNames) add(backlog[queue].waiting, queue);
    },
  },
  {
    name: 'flaghoist_backlog_age_seconds',
    type: 'gauge',
    help: 'Age of the oldest item in a queue; 0 if the queue is empty.',
    labels: ['queue'],
    read: (add, { backlog }) => {
      if (backlog) for (const queue of queueNames) add(backlog[queue].oldestSeconds, queue);
    },
  },
  {
    name: 'flaghoist_subscription_recent_attempts',
    type: 'gauge',
    help:
      'Attempts of the last 45 to 60 minutes of the subscriptions that fail most, by outcome: delivered, retry or ' +
      'failure.',
    labels: ['subscription', 'outcome'],
    read: (add, { failing = [] }) => {
      for (const { key, ...outcomes } of failing)
        for (const [outcome, count] of Object.entries(outcomes)) add(count, key, outcome);
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of the process.',
    read: (add) => add(process.memoryUsage.rss()),
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'CPU time of the process.',
    read: (add) => {
      const { user, system } = process.cpuUsage();
      add((user + system) / 1e6);
    },
  },
  {
    name: 'process_uptime_seconds',
    type: 'gauge',
    help: 'Time since the process started.',
    read: (add) => add(process.uptime()),
  },
  {
    name: 'flaghoist_event_loop_delay_seconds',
    type: 'gauge',
    help: 'Delay of the event loop, 99th percentile.',
    read: (add, { loopDelaySeconds }) => add(loopDelaySeconds),
  },
];

function addOutcomes(add: Add, { notifications, suppressed }: { notifications: number; suppressed: number }): void {
  add(notifications, 'notified');
  add(suppressed, 'suppressed');
}
