// `flaghoist console-link` beside a running service: it prints a link for a user, or says what the user lacks.

import { expect, test } from 'vitest';
import { useCli } from '../../../cli/test/support/cli.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Environment } from '../../src/config/load-settings.ts';
import { useBrowsers } from '../auth/console-browser.ts';
import { administratorSettings, createClient } from '../support/access.ts';
import { create } from '../support/fleet.ts';
import type { Ending } from '../support/run-compiled.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const browsers = useBrowsers(service);

const cli = useCli(service.url, {
  program: { path: 'packages/server/dist/main.js', execute: runCommandLine },
  environment: () => ({
    DATABASE_URL: service.database.url,
    ...administratorSettings,
    FLAGHOIST_BASE_URL: service.url(),
  }),
});

function run(args: string[], environment: Environment = {}): Promise<Ending> {
  return cli.run(['console-link', ...args], environment);
}

test('without a user, it is a link for the first administrator; the first line is the link', async () => {
  const { code, stdout, stderr } = await run([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [link = '', empty, sentence] = stdout.split('\n');
  expect(link.startsWith(`${service.url()}/console#code=fhl_`)).toBe(true);
  expect([empty, sentence]).toEqual(['', 'It signs in admin (Administrator) once, within 10 minutes.']);
  const answer = await browsers.open().signIn({ code: link.split('#code=')[1] });
  expect(answer.body).toMatchObject({ user: { userCode: 'admin' }, scopes: ['read', 'write', 'webhook', 'admin'] });
});

test('--user chooses the user, and --json answers for programs', async () => {
  const { userKey } = await createClient(service, ['read']);
  const { userCode } = (await service.get(`/ws/rest/ApiUser/${userKey}`)).body;
  const { stdout } = await run(['--user', userCode, '--json']);
  const made = JSON.parse(stdout);
  expect(made).toEqual({
    url: expect.stringContaining(`/console#code=fhl_${userKey}_`),
    userCode,
    expiresDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
  });
  const answer = await browsers.open().signIn({ code: made.url.split('#code=')[1] });
  expect(answer.body).toMatchObject({ user: { key: userKey }, scopes: ['read'] });
});

test('a user that is unknown, disabled or without a client is refused, with what to do', async () => {
  const off = await createClient(service, ['read']);
  await service.put(`/ws/rest/ApiUser/${off.userKey}`, { active: false });
  const { userCode } = (await service.get(`/ws/rest/ApiUser/${off.userKey}`)).body;
  await create(service, 'ApiUser', { userCode: 'bare', name: 'Bare' });
  const refusals: Ending[] = [];
  for (const user of ['nobody', userCode, 'bare']) refusals.push(await run(['--user', user]));
  expect(refusals.map(({ code, stdout }) => [code, stdout])).toEqual(Array(3).fill([1, '']));
  expect(refusals.map(({ stderr }) => stderr.trim().split('\n').at(-1))).toEqual([
    'There is no user "nobody". "flaghoist user list" lists the users that exist.',
    `The user ${userCode} is disabled. "flaghoist user enable ${userCode}" enables it.`,
    'The user bare has no active client, so it may do nothing in the console. ' +
      '"flaghoist client create --user bare --scope read" creates one.',
  ]);
});

test('with an external issuer, it says where to sign in', async () => {
  const { code, stderr } = await run([], { FLAGHOIST_ISSUER_URL: 'https://login.example.com' });
  expect(code).toBe(1);
  expect(stderr).toContain('Users sign in to the console at https://login.example.com (FLAGHOIST_ISSUER_URL)');
});
