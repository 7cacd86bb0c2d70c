// Whether the time of a response reveals that a client with that id exists.

import { Client } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../demo/seeded-random.ts';
import { administrator } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { parametersOf } from './ask-token.ts';
import { compareSamples, type Difference } from './mann-whitney.ts';

const service = useTestService();
let connection: Client;
beforeAll(() => {
  connection = new Client(service.url());
});
afterAll(() => connection.close());

const pairs = 1_000;
const rounds = 3;

/**
 * A leak shows in every round. Noise, at this level, fakes one in a hundred of them, so three in a row are one run of
 * the tests in a million.
 */
test('TOK-38 an unknown client and a known one with a wrong secret take the same time', {
  timeout: 120_000,
}, async () => {
  const bodies = [bodyOf('x'.repeat(administrator.clientId.length)), bodyOf(administrator.clientId)];
  await measure(bodies, 200);
  const differences: Difference[] = [];
  do {
    const [unknown, known] = await measure(bodies, pairs);
    differences.push(compareSamples(unknown!, known!));
  } while (!isNothing(differences.at(-1)!) && differences.length < rounds);
  process.stderr.write(`timing of token refusals: ${JSON.stringify(differences)}\n`);
  expect(differences.some(isNothing), JSON.stringify(differences)).toBe(true);
});

test('the comparison finds a difference of a twentieth where there is one, and none where there is none', () => {
  const random = seededRandom(7);
  // A floor, noise, and the odd long one, as requests have.
  const draw = (floor: number) => floor + random() * 0.3 + (random() < 0.02 ? random() * 50 : 0);
  const sampleOf = (floor: number) => Array.from({ length: pairs }, () => draw(floor));
  expect(isNothing(compareSamples(sampleOf(1), sampleOf(1)))).toBe(true);
  expect(isNothing(compareSamples(sampleOf(1), sampleOf(1.05)))).toBe(false);
  expect(isNothing(compareSamples(sampleOf(1.05), sampleOf(1)))).toBe(false);
});

function isNothing({ p, medianDifference }: Difference): boolean {
  return p > 0.01 && Math.abs(medianDifference) < 1;
}

function bodyOf(clientId: string): string {
  return JSON.stringify(parametersOf({ client_id: clientId, client_secret: 'wrong-'.repeat(8) }));
}

/** One of each, in an order that changes, so that whatever comes and goes on the machine meets both alike. */
async function measure(bodies: string[], times: number): Promise<number[][]> {
  const took: number[][] = bodies.map(() => []);
  for (let pair = 0; pair < times; pair += 1) {
    const order = Math.random() < 0.5 ? [0, 1] : [1, 0];
    for (const index of order) took[index]!.push(await timeOf(bodies[index]!));
  }
  return took;
}

async function timeOf(body: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { 'content-type': 'application/json' };
  const answer = await connection.request({ path: '/oauth/token', method: 'POST', headers, body });
  await answer.body.dump();
  const tookMs = performance.now() - startedAt;
  expect(answer.statusCode).toBe(401);
  return tookMs;
}
