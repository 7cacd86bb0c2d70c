// A valid token, changed a little, thousands of times: none is accepted. FUZZ_REQUESTS says how often, FUZZ_SEED
// repeats a run.

import { Agent, type Dispatcher } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { seededRandom } from '../demo/seeded-random.ts';
import { describeUnharmed } from '../hostile/unharmed.ts';
import { useTestService } from '../support/test-service.ts';
import { mutateToken } from './mutate-token.ts';

const mutationsWanted = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const connections = 8;

const service = useTestService();
const agent = new Agent({ connections, pipelining: 1 });
afterAll(() => agent.close());

test(`of ${mutationsWanted} changed tokens none is taken, and none is a fault of ours (FUZZ_SEED=${seed})`, {
  timeout: 60_000 + mutationsWanted * 5,
}, async () => {
  const random = seededRandom(seed);
  const counts = new Map<string, number>();
  const good = service.token();
  let left = mutationsWanted;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const { kind, token } = mutateToken(good, random);
      const status = await statusWith(token);
      expect(status, `${kind}: ${token}`).toBe(401);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  // What is changed must have been good, or nothing was tried.
  expect(await statusWith(good)).toBe(200);
  const kinds = [...counts].sort().map(([kind, count]) => `${kind} ${count}`);
  process.stderr.write(`${mutationsWanted} changed tokens, none taken: ${kinds.join(', ')}\n`);
});

async function statusWith(token: string): Promise<number> {
  const asked: Dispatcher.RequestOptions = {
    origin: service.url(),
    path: '/ws/rest/Currency?limit=1',
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
  };
  const { statusCode, body } = await agent.request(asked);
  await body.dump();
  return statusCode;
}

describeUnharmed(service);
