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
  /** Asks with the token, and expects that it is refused as all bad ones are. */
  refuse(token: string): Promise<void>;
}

/** To be called at the top of a test file. At its end nobody may have been called. */
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
    refuse: async (token) => expectBadToken(await ask(token)),
  };
}

/** The same words for all of them: which check has failed is nobody's business. */
export function expectBadToken(answer: Omit<Answer, 'body'>): void {
  const body = expectErrorBody(answer, 401);
  expect(body).toMatchObject({ statusText: 'Unauthorized', message: 'The token is not valid.', method: 'GET' });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="flaghoist", error="invalid_token"');
}
