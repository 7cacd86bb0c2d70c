// A separate program that sends load: a closed loop over kept-alive connections. It keeps the latency of every
// request, checks the status of every response, and does as little work as possible (`dispatch`, no promises).

import { Client, type Dispatcher } from 'undici';
import type { LoadPlan, LoadResult } from './load.ts';
import { quantile } from './statistics.ts';

process.on('message', async (plan: LoadPlan) => {
  process.send!(await generateLoad(plan));
});
process.on('disconnect', () => process.exit());

interface Progress {
  sent: number;
  acknowledged: number;
  failures: Record<string, number>;
  /** Of the requests that were sent and answered during the measurement. */
  latencies: number[];
  isTimed: boolean;
  first: LoadResult['first'] | undefined;
}

async function generateLoad(plan: LoadPlan): Promise<LoadResult> {
  const progress: Progress = {
    sent: 0,
    acknowledged: 0,
    failures: {},
    latencies: [],
    isTimed: false,
    first: undefined,
  };
  const clients = Array.from({ length: plan.connections }, (_, n) => {
    return new Client(plan.origins[n % plan.origins.length]!, { pipelining: 1 });
  });
  // Connecting is not what is measured.
  await Promise.all(clients.map((client) => sendOnce(client, plan, progress)));

  const busyBefore = performance.eventLoopUtilization();
  const startedAt = performance.now();
  const deadline = startedAt + plan.durationMs;
  progress.isTimed = true;
  setTimeout(() => {
    progress.isTimed = false;
  }, plan.durationMs);
  await Promise.all(clients.map((client) => sendUntil(client, plan, progress, deadline)));
  const generatorBusy = performance.eventLoopUtilization(busyBefore).utilization;
  await Promise.all(clients.map((client) => client.close()));
  return resultOf(plan, progress, generatorBusy);
}

function resultOf(plan: LoadPlan, progress: Progress, generatorBusy: number): LoadResult {
  const sorted = Float64Array.from(progress.latencies).sort();
  return {
    completed: sorted.length,
    durationMs: plan.durationMs,
    acknowledged: progress.acknowledged,
    failures: progress.failures,
    latencyMs: {
      p50: quantile(sorted, 0.5),
      p95: quantile(sorted, 0.95),
      p99: quantile(sorted, 0.99),
      max: quantile(sorted, 1),
    },
    first: progress.first ?? { headers: {}, body: '' },
    generatorBusy,
  };
}

function sendOnce(client: Client, plan: LoadPlan, progress: Progress): Promise<void> {
  return new Promise((resolve) => send(client, plan, progress, resolve));
}

function sendUntil(client: Client, plan: LoadPlan, progress: Progress, deadline: number): Promise<void> {
  return new Promise((resolve) => {
    const next = () => {
      if (performance.now() >= deadline) resolve();
      else send(client, plan, progress, next);
    };
    next();
  });
}

function send(client: Client, plan: LoadPlan, progress: Progress, done: () => void): void {
  const number = progress.sent;
  progress.sent += 1;
  const sentAt = performance.now();
  client.dispatch(requestOf(plan, number), {
    ...answerTaker(plan, progress, sentAt, done),
    onResponseError: (_, error) => {
      addFailure(progress, error.message);
      done();
    },
  });
}

function answerTaker(plan: LoadPlan, progress: Progress, sentAt: number, done: () => void): Dispatcher.DispatchHandler {
  let status = 0;
  const first: Buffer[] | undefined = progress.first === undefined ? [] : undefined;
  if (first) progress.first = { headers: {}, body: '' };
  return {
    onRequestStart: () => undefined,
    onResponseStart: (_, statusCode, headers) => {
      status = statusCode;
      if (first) progress.first!.headers = headers;
    },
    onResponseData: (_, chunk) => {
      first?.push(Buffer.from(chunk));
    },
    onResponseEnd: () => {
      if (status === plan.expectedStatus) progress.acknowledged += 1;
      else addFailure(progress, `status ${status}`);
      if (progress.isTimed) progress.latencies.push(performance.now() - sentAt);
      if (first) progress.first!.body = Buffer.concat(first).toString();
      done();
    },
  };
}

function requestOf({ method, paths, headers, body }: LoadPlan, number: number): Dispatcher.DispatchOptions {
  const path = paths[number % paths.length]!;
  return body === undefined
    ? { method, path, headers }
    : { method, path, headers, body: body.replace('{n}', String(number)) };
}

function addFailure(progress: Progress, reason: string): void {
  progress.failures[reason] = (progress.failures[reason] ?? 0) + 1;
}
