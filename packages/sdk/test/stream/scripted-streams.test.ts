// The consumer of streams with a server whose events a test chooses.

import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../../src/index.ts';
import { envelope, secret, signed } from '../receive/sign-delivery.ts';
import { answerJson, useScriptedServer } from '../support/scripted-server.ts';

const server = useScriptedServer();

afterEach(() => vi.restoreAllMocks());

function eventOf(notification: number, headers: Record<string, string> = {}): string {
  const body = envelope();
  const data = JSON.stringify({ notification, headers: signed(body, { id: `${notification}-1100`, headers }), body });
  return `event: notification\ndata: ${data}\n\n`;
}

test('a notification that waits for its handler for longer than five minutes is handled', async () => {
  const keys = [1, 2, 3];
  const events = keys.map((key) => eventOf(key));
  server.respond(({ path }, response) => {
    if (path.endsWith('/acknowledge')) return answerJson(response, 200, {});
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.join(''));
  });
  const startMs = Date.now();
  const clock = vi.spyOn(Date, 'now');
  const stop = new AbortController();
  const handled: string[] = [];
  const handler = ({ id }: { id: string }) => {
    handled.push(id);
    // Each one takes ten minutes.
    clock.mockReturnValue(startMs + handled.length * 600_000);
    if (handled.length === keys.length) stop.abort();
  };
  const onError = (error: unknown) => {
    handled.push((error as Error).message);
    if (handled.length === keys.length) stop.abort();
  };
  await createClient({ url: server.url(), token: 'a-token' }).stream(1009, handler, {
    secret,
    signal: stop.signal,
    onError,
  });
  expect(handled).toEqual(['1-1100', '2-1100', '3-1100']);
});

test('failures of the handler are counted over lost connections, whatever the service has counted', async () => {
  server.respond(({ path }, response) => {
    if (path.endsWith('/acknowledge')) return answerJson(response, 200, {});
    // The stream ends after one notification.
    return response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`retry: 1\n\n${eventOf(1, { 'flaghoist-attempt': '12' })}`);
  });
  const stop = new AbortController();
  let failures = 0;
  const askedAfter: number[] = [];
  const failing = () => {
    failures += 1;
    throw new Error('It cannot be processed.');
  };
  await createClient({ url: server.url(), token: 'a-token' }).stream(1009, failing, {
    signal: stop.signal,
    onError: () => undefined,
    poisonAfter: 3,
    onPoison: async () => {
      askedAfter.push(failures);
      if (failures === 4) stop.abort();
      return 'retry';
    },
  });
  expect(askedAfter).toEqual([3, 4]);
});
