// Checks that the contenders do the same work: equal requests must get equal responses, byte for byte.

import { request } from 'undici';
import type { Ledger } from '../harness/ledger.ts';
import type { Scenario } from './scenarios.ts';
import type { Server } from './servers.ts';

export async function checkAgreement(
  scenarios: readonly Scenario[],
  ours: Server,
  peer: Server,
  ledger: Ledger,
): Promise<void> {
  for (const scenario of scenarios) {
    const [one, other] = [await answerOf(ours, scenario, 'check a'), await answerOf(peer, scenario, 'check b')];
    ledger.expect(`${scenario.short}: body of the peer as ours`, one.body, other.body);
    if (scenario.short === 'GET') ledger.expect('GET: ETag of the peer as ours', one.etag, other.etag);
    if (scenario.short !== 'list') continue;
    ledger.expect('list: count of the peer as ours', one.total, other.total);
    ledger.expect('list: objects on the page', 100, JSON.parse(one.body).length);
  }
}

interface ComparedAnswer {
  body: string;
  etag: string;
  total: string;
}

async function answerOf(server: Server, scenario: Scenario, mark: string): Promise<ComparedAnswer> {
  const { method, paths, headers, body } = scenario.load(mark);
  const answer = await request(`${server.origin}${paths[0]}`, {
    method,
    headers: { ...server.headers, ...headers },
    ...(body ? { body } : {}),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200)
    throw new Error(`${server.name}, ${scenario.name}: status ${answer.statusCode} ${text}`);
  return {
    // Two changes differ in their values and times.
    body: scenario.short === 'PUT' ? text.replace(mark, '…').replace(/"modifiedDate":"[^"]+"/, '') : text,
    etag: String(answer.headers.etag),
    total: String(answer.headers.totalobjectsnumber),
  };
}
