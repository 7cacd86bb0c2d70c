// A service to try tokens on, and the form of every response to an invalid one.

import { afterAll, beforeAll, expect } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { type Answer, type TestService, useTestService } from '../support/test-service.ts';
import { type EgressSink, useEgressSink } from './egress-sink.ts';
import { type Forge, openForge } from './forge-token.ts';

export interface TokenTarget {
  service: TestService;
  sink: EgressSink;
  /** Known once the tests run. */
  forge(): Forge;
  ask(token: string): Promise<Answer>;
  askWith(authorization: string): Promise<Answer>;
  /** Asks with the token, and expects the response to an invalid token. */
  expectRejected(token: string): Promise<void>;
}

/** Call this at the top of a test file. At its end it checks that the service has called no other host. */
export function useTokenTarget(): TokenTarget {
  const service = useTestService();
  const sink = useEgressSink();
  let forge: Forge;
  beforeAll(async () => {
    forge = await openForge(service.database, service.url());
  });
  afterAll(() => expect(sink.requests()).toBe(0));
  const askWith = (authorization: string) => service.get('/ws/rest/Voyage', { authorization });
  const ask = (token: string) => askWith(`Bearer ${token}`);
  return {
    service,
    sink,
    forge: () => forge,
    ask,
    askWith,
    expectRejected: async (token) => expectBadToken(await ask(token)),
  };
}

/** The same message for all of them: it does not say which check has failed. */
export function expectBadToken(answer: Omit<Answer, 'body'>): void {
  const body = expectErrorBody(answer, 401);
  expect(body).toMatchObject({ statusText: 'Unauthorized', message: 'The token is not valid.', method: 'GET' });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="flaghoist", error="invalid_token"');
}
