// The judgement of an attack can fail, and a short attack harms no other client. Response times are judged only by the
// command.

import { expect, test } from 'vitest';
import { runAttack } from '../../endurance/attacks/attack-run.ts';
import { judgeAttack } from '../../endurance/attacks/judge-attack.ts';
import type { Finding } from '../../endurance/finding.ts';

const probed = { path: '/', answers: 100, p50Ms: 2, p99Ms: 5, maxMs: 9 };
const peak = { serviceMb: 300, postgresMb: 200 };

test.each<[string, { victim?: object; health?: object; peak?: object }, Finding['kind'][]]>([
  ['all is well', { victim: { p50Ms: 20, p99Ms: 100 } }, []],
  ['the median is too late', { victim: { p50Ms: 20.1 } }, ['too late']],
  ['the slowest are too late', { victim: { p99Ms: 100.1 } }, ['too late']],
  ['no answer at all', { victim: { p50Ms: Number.NaN, p99Ms: Number.NaN } }, ['too late', 'too late']],
  ['health is too late', { health: { maxMs: 501 } }, ['too late']],
  ['the service swells', { peak: { serviceMb: 601 } }, ['too much memory']],
  ['the database swells', { peak: { postgresMb: 501 } }, ['too much memory']],
])('%s', (_, changed, kinds) => {
  const calm = { victim: probed, health: probed };
  const attacked = { victim: { ...probed, ...changed.victim }, health: { ...probed, ...changed.health } };
  const findings = judgeAttack(calm, attacked, { ...peak, ...changed.peak });
  expect(findings.map(({ kind }) => kind)).toEqual(kinds);
});

test('while one client requests lists on many connections, another one is never rejected', {
  timeout: 120_000,
}, async () => {
  const plan = { kind: 'starve', voyages: 5, connections: 20, seconds: 1, dist: undefined } as const;
  const { findings, statuses, attacked } = await runAttack({ ...plan, tell: () => undefined });
  expect(findings.filter(({ kind }) => kind === 'wrong answer')).toEqual([]);
  expect([...statuses.keys()]).toEqual([200]);
  expect(attacked.victim.answers).toBeGreaterThan(0);
});

test('while one client requests single large objects, PostgreSQL needs little memory', {
  timeout: 120_000,
}, async () => {
  const plan = { kind: 'swell', voyages: 5, connections: 8, seconds: 3, dist: undefined } as const;
  const { findings, statuses } = await runAttack({ ...plan, tell: () => undefined });
  expect(findings.filter(({ kind }) => kind !== 'too late')).toEqual([]);
  expect([...statuses.keys()].sort()).toEqual([200, 413]);
});
