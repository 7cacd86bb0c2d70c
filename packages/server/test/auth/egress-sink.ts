// A loopback server that must never be called: it counts its requests.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface EgressSink {
  url(path: string): string;
  requests(): number;
  /** What it answers with, should it be asked. */
  content: string;
}

/** To be called at the top of a test file. */
export function useEgressSink(): EgressSink {
  let connections = 0;
  const sink: EgressSink = {
    url: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    requests: () => connections,
    content: '{}',
  };
  const server = createServer((_, response) => response.end(sink.content));
  // A connection counts, whatever comes over it.
  server.on('connection', () => {
    connections += 1;
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  return sink;
}
