// A process with the role `worker` alone: it creates no client, prints no address of the API, and serves health and
// metrics.

import { afterEach, expect, test } from 'vitest';
import { useTestDatabase } from '../support/test-database.ts';
import { RunningProgram } from './running-program.ts';

const database = useTestDatabase({ isMigrated: false });
const running: RunningProgram[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.end()));
});

function serve(roles: string): RunningProgram {
  const program = new RunningProgram(['serve'], {
    DATABASE_URL: database.url,
    FLAGHOIST_ROLES: roles,
    FLAGHOIST_PORT: '0',
    FLAGHOIST_ENCRYPTION_KEY: 'A'.repeat(43),
  });
  running.push(program);
  return program;
}

async function countClients(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::integer as count from flaghoist_service.api_client');
  return rows[0].count;
}

test('on an empty installation it makes no client and names no address of the API; `api` does', async () => {
  const worker = serve('worker');
  const [welcome] = await worker.sees(/Flaghoist is ready\.[\s\S]*\n {2}Data .*\n/);
  expect(welcome).toMatch(/\n {2}Roles {6}worker\n {2}Health {5}http:\S+\/health\n/);
  expect(welcome).not.toMatch(/ws\/rest|docs|oauth|client/i);
  expect(await countClients()).toBe(0);
  await serve('api').sees(/THE SECRET IS SHOWN ONCE[\s\S]*Secret +\S+\n/);
  expect(await countClients()).toBe(1);
});

test('it serves health and metrics, and 404 for everything else, without a link to itself', async () => {
  const [, url] = await serve('worker').sees(/Health +(\S+)\/health\n/);
  for (const path of ['/health', '/health/live', '/health/ready', '/metrics'])
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
  const tokens = ['/oauth/token', '/.well-known/jwks.json', '/.well-known/openid-configuration'];
  for (const path of ['/', '/docs', '/openapi.json', '/ws/rest', '/ws/rest/Voyage', '/ws/rest/Voyage/1', ...tokens])
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${url}${path}`, { method });
      const { message, error_description } = (await response.json()) as Record<string, string | undefined>;
      expect([method, path, response.status]).toEqual([method, path, 404]);
      const said = (message ?? error_description)?.replace(path, '');
      expect(said).toMatch(/^Not found: \. .*: it answers only \/health and \/metrics\.$/);
    }
});
