// A consumer of a stream, for tests: reads server-sent events, and acknowledges.

import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import type { TestService } from '../support/test-service.ts';

export interface Streamed {
  notification: number;
  headers: Record<string, string>;
  body: string;
}

export interface StreamClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All that has arrived so far. */
  readonly events: Streamed[];
  /** Comment lines. */
  readonly comments: string[];
  /** Whether the service has ended the stream, or the connection was lost. */
  isEnded(): boolean;
  /** Cuts the connection, as a process that is killed does. */
  cut(): void;
  /** Waits until this many events have arrived. */
  reach(count: number, timeout?: number): Promise<Streamed[]>;
}

type Place = Pick<TestService, 'url' | 'token'>;

/** Ends with the test. */
export async function openStream(
  service: Place,
  key: number,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<StreamClient> {
  const url = `${service.url()}/ws/rest/WebhookSubscription/${key}/stream${query}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(url, { headers: { authorization: `Bearer ${service.token()}`, ...headers }, agent: false });
    request.on('response', resolve).on('error', reject);
  });
  onTestFinished(() => void response.destroy());
  const events: Streamed[] = [];
  const comments: string[] = [];
  let isEnded = false;
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) readBlock(block, events, comments);
  });
  for (const name of ['end', 'error', 'close'])
    response.on(name, () => {
      isEnded = true;
    });
  return {
    status: response.statusCode!,
    headers: response.headers,
    events,
    comments,
    isEnded: () => isEnded,
    cut: () => void response.destroy(),
    reach: async (count, timeout = 10_000) => {
      await expect.poll(() => events.length, { timeout, interval: 10 }).toBeGreaterThanOrEqual(count);
      return events;
    },
  };
}

function readBlock(block: string, events: Streamed[], comments: string[]): void {
  const lines = block.split('\n');
  const fieldOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = fieldOf('data');
  if (block.startsWith(':')) comments.push(block);
  if (data === undefined) return;
  expect(fieldOf('event')).toBe('notification');
  const event = JSON.parse(data) as Streamed;
  expect(fieldOf('id')).toBe(String(event.notification));
  events.push(event);
}

export function acknowledge(service: TestService, key: number, body: object) {
  return service.post(`/ws/rest/WebhookSubscription/${key}/acknowledge`, body);
}

export async function pull(service: TestService, key: number, body: object = {}): Promise<Streamed[]> {
  const answer = await service.post(`/ws/rest/WebhookSubscription/${key}/pull`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
