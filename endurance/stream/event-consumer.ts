// A program that consumes a stream of server-sent events until it is killed: with `fetch`, or by reading the output of
// `curl -N`. It appends the id of each notification to its ledger, and then acknowledges it.

import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../dice.ts';
import type { ConsumerPlan } from './consumer-plan.ts';

interface Event {
  notification: number;
  headers: Record<string, string>;
}

type Source = (url: string, headers: Record<string, string>) => AsyncIterable<Uint8Array>;

const sources: Record<string, Source> = {
  fetch: async function* (url, headers) {
    const response = await fetch(url, { headers });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    yield* response.body!;
  },
  curl: (url, headers) => {
    const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    return spawn('curl', ['-sSN', '--fail', ...words, url], { stdio: ['ignore', 'pipe', 'ignore'] }).stdout;
  },
};

/** So many batches are not acknowledged, and come again. */
const forgottenShare = 0.02;
const resumedShare = 0.3;
const acknowledgeMs = 5_000;
const pauseMs = 50;

const [, , sourceName, planFile] = process.argv;
const { origins, authorization, subscription, ledger, seed } = JSON.parse(
  readFileSync(planFile!, 'utf8'),
) as ConsumerPlan;
const dice = new Dice(seed);
let lastKey: number | undefined;

for (;;) {
  await consume(sources[sourceName!]!).catch(() => undefined);
  await sleep(pauseMs);
}

async function consume(source: Source): Promise<void> {
  const resumes = lastKey !== undefined && dice.isBelow(resumedShare);
  const headers = { authorization, ...(resumes ? { 'last-event-id': String(lastKey) } : {}) };
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of source(urlOf('stream'), headers)) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop()!;
    await take(blocks.flatMap(readBlock));
  }
}

function readBlock(block: string): Event[] {
  const data = block.split('\n').find((line) => line.startsWith('data: '));
  return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as Event];
}

async function take(events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  appendFileSync(ledger, events.map(({ headers }) => `${headers['webhook-id']}\n`).join(''));
  lastKey = events.at(-1)!.notification;
  if (dice.isBelow(forgottenShare)) return;
  // Of a notification that was sent before, `upTo` covers that one alone.
  const isFirst = events.at(-1)!.headers['flaghoist-attempt'] === '1';
  const body =
    isFirst && dice.isBelow(0.5)
      ? { upTo: lastKey }
      : { notifications: events.map(({ notification }) => notification) };
  // If this fails, the events come again.
  await fetch(urlOf('acknowledge'), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(acknowledgeMs),
  })
    .then((response) => response.text())
    .catch(() => undefined);
}

/** At any of the processes. */
function urlOf(action: string): string {
  return `${dice.pick(origins)}/ws/rest/WebhookSubscription/${subscription}/${action}`;
}
