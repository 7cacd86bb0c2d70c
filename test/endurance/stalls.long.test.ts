// A short run of the stalls endurance. An idle worker is found.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endpointOf } from '../../endurance/stalls/database-endpoint.ts';
import { IdleWatch } from '../../endurance/stalls/idle-watch.ts';
import { statementsIn } from '../../endurance/stalls/statements-in.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

/** A seed with stalls of each kind. */
const seed = '5';

test('workers stopped or cut off at random statements lose no notification and stop no other worker', {
  timeout: 400_000,
}, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  onTestFinished(() => rm(results, { recursive: true, force: true }));
  const plan = ['--stalls', '5', '--clients', '1', '--seed', seed, '--results', results];
  const { code, stdout, stderr } = await runCompiled('endurance/main.js', ['stalls', ...plan]);
  expect(code, `${stdout}${stderr}`).toBe(0);
  const report = await readFile(join(results, 'stalls.md'), 'utf8');
  expect(report).toContain('**Nothing was lost, and no worker stood idle**: 5 stalls');
  expect(report).toMatch(/delivered, and received +\| [1-9]/);
  expect(report).toMatch(/… left +\| 0 /);
});

test.each([
  ['delivers nothing while one notification waits', { isStalled: false, waiting: ['5'] }, true],
  ['has nothing to do', { isStalled: false, waiting: [null] }, false],
  ['is stalled', { isStalled: true, waiting: ['5'] }, false],
  [
    'has neighbours that take one notification after the other',
    { isStalled: false, waiting: ['5', '6', '7', '8'] },
    false,
  ],
])('a worker that goes on matching, and %s', async (_, { isStalled, waiting }, isIdle) => {
  const origin = await serveMetrics();
  const looks = { count: 0 };
  const watch = new IdleWatch([{ origin, isStalled }], async () => {
    looks.count += 1;
    return { matching: '9', delivery: waiting[looks.count % waiting.length]! };
  });
  watch.start();
  await expect.poll(() => looks.count, { timeout: 10_000 }).toBeGreaterThan(5);
  await watch.stop();
  expect(watch.longestMs[0]!.delivery > 1_000).toBe(isIdle);
  expect(watch.longestMs[0]!.matching).toBeLessThan(1_000);
});

test('a database is reached by TCP or by a Unix socket, as its URL says', () => {
  expect(endpointOf('postgres://me:secret@127.0.0.1:5433/fleet').target).toEqual({ host: '127.0.0.1', port: 5433 });
  expect(endpointOf('postgres://me:secret@/fleet?host=/run/postgresql&port=5433').target).toEqual({
    path: '/run/postgresql/.s.PGSQL.5433',
  });
});

/** Of a worker that matches, but delivers nothing. */
async function serveMetrics(): Promise<string> {
  const matched = { count: 0 };
  const server = createServer((_, response) => {
    matched.count += 1;
    response.end(`flaghoist_events_matched_total ${matched.count}\nflaghoist_attempts_total{outcome="delivered"} 7\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('statements in one message are identified by their names and texts', () => {
  const message = (type: string, ...parts: string[]) => {
    const rest = Buffer.from(parts.map((part) => `${part}\0`).join(''));
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeUInt32BE(rest.length + 4, 1);
    return Buffer.concat([head, rest]);
  };
  const sent = Buffer.concat([message('P', '', 'begin'), message('B', '', 'claim'), message('E', ''), message('S')]);
  expect(statementsIn(sent)).toBe('begin; claim');
  expect(statementsIn(sent.subarray(3))).toBe('');
  expect(statementsIn(Buffer.alloc(0))).toBe('');
});
