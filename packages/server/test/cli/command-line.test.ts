// The whole program: its own commands, and those that talk to a service.

import { expect, test } from 'vitest';
import { runFlaghoist } from '../support/run-compiled.ts';

test('an unknown command does not start the service, and gets a suggestion', async () => {
  expect(await runFlaghoist(['listne', '--event', 'Voyage.U'], {})).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: unknown command "listne". Did you mean "listen"?\n',
  });
});

test('the help has the commands of the server and those that talk to a service', async () => {
  const { code, stdout } = await runFlaghoist(['--help'], {});
  expect(code).toBe(0);
  for (const name of ['serve', 'user', 'listen', 'subscription', 'completion'])
    expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
});

test('what the commands read from the environment is not taken for a mistaken setting', async () => {
  const ofClients = { FLAGHOIST_URL: 'http://127.0.0.1:1', FLAGHOIST_CLIENT_ID: 'a', FLAGHOIST_CLIENT_SECRET: 'b' };
  const { code, stdout } = await runFlaghoist(['check-config'], { ...ofClients, FLAGHOIST_CLIENT: 'c' });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^FLAGHOIST_CLIENT is set, but is not a setting/);
  expect(stdout).not.toContain('FLAGHOIST_URL');
  expect(stdout).not.toContain('FLAGHOIST_CLIENT_');
});
