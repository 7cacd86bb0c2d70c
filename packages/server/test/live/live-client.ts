// A client of the live feed, for tests: reads server-sent events.

import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import type { TestClient } from '../support/access.ts';
import type { Shown } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';

export interface LiveEvent {
  event: string;
  data: Shown;
  atMs: number;
}

export interface LiveClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All that have arrived so far. */
  readonly events: LiveEvent[];
  /** All rows of this kind that have arrived so far, and how many were left out. */
  rows(kind: 'notifications' | 'changes'): Shown[];
  skipped(kind: 'notifications' | 'changes'): number;
  isEnded(): boolean;
  cut(): void;
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
}

/** Open, and begun: what happens from now on arrives. Ends with the test. */
export async function openLive(
  service: Pick<TestService, 'url' | 'token'>,
  query = '',
  headers: Partial<TestClient['headers']> = {},
): Promise<LiveClient> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const authorization = `Bearer ${service.token()}`;
    get(`${service.url()}/ws/rest/live${query}`, { headers: { authorization, ...headers }, agent: false })
      .on('response', resolve)
      .on('error', reject);
  });
  onTestFinished(() => void response.destroy());
  const events: LiveEvent[] = [];
  let isEnded = false;
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const [, event, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      if (event && data) events.push({ event, data: JSON.parse(data), atMs: performance.now() });
    }
  });
  for (const name of ['end', 'error', 'close'])
    response.on(name, () => {
      isEnded = true;
    });
  const client: LiveClient = {
    status: response.statusCode!,
    headers: response.headers,
    events,
    rows: (kind) => events.filter(({ event }) => event === kind).flatMap(({ data }) => data.rows),
    skipped: (kind) => events.filter(({ event }) => event === kind).reduce((sum, { data }) => sum + data.skipped, 0),
    isEnded: () => isEnded,
    cut: () => void response.destroy(),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
  };
  // The first figures come after the first look at the database.
  if (response.statusCode === 200)
    await expect
      .poll(() => events.some(({ event }) => event === 'figures') || isEnded, { timeout: 20_000, interval: 10 })
      .toBe(true);
  return client;
}
