// `flaghoist login` and `logout`, and where the other commands take service and client from.

import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { administrator } from '../../server/test/support/access.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { useCli } from './support/cli.ts';

const service = useTestService();
const cli = useCli(service.url);

const nothingSet = { FLAGHOIST_URL: '', FLAGHOIST_CLIENT_ID: '', FLAGHOIST_CLIENT_SECRET: '' };
function login(home: string, input: string, ...args: string[]) {
  const given = ['--url', `${service.url()}/`, '--client-id', administrator.clientId, ...args];
  return cli.runProgram(['login', ...given], { ...nothingSet, XDG_CONFIG_HOME: home }, input);
}

async function newHome(name: string): Promise<string> {
  const home = join(cli.configFolder, name);
  await mkdir(home);
  return home;
}

test('login tries the secret from standard input and stores it for its owner alone; logout removes it', async () => {
  const home = await newHome('stored');
  const file = join(home, 'flaghoist/login.json');
  const stored = await login(home, `${administrator.clientSecret}\n`, '--json');
  expect({ ...stored, stdout: JSON.parse(stored.stdout) }).toEqual({
    code: 0,
    stderr: '',
    stdout: { url: service.url(), clientId: administrator.clientId, file },
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(home, 'flaghoist'))).mode & 0o777).toBe(0o700);
  const environment = { ...nothingSet, XDG_CONFIG_HOME: home };
  const status = await cli.run(['status', '--json'], environment);
  expect(JSON.parse(status.stdout)).toMatchObject({ url: service.url(), status: 'ready' });
  expect((await cli.run(['logout'], environment)).stdout).toBe(`${file} is removed.\n`);
  expect(JSON.parse((await cli.run(['logout', '--json'], environment)).stdout)).toEqual({ file, isRemoved: false });
  expect(await cli.run(['status'], environment)).toMatchObject({ code: 2, stdout: '' });
});

test('a secret that the service rejects is not stored', async () => {
  const home = await newHome('rejected');
  const { code, stderr } = await login(home, 'wrong-secret-wrong-secret-wrong-secret');
  expect(code).toBe(1);
  expect(stderr).toBe(
    'error: The service does not accept this client id and secret. Check them, or run "flaghoist login" again.\n',
  );
  await expect(readFile(join(home, 'flaghoist/login.json'))).rejects.toThrow('ENOENT');
  expect((await login(home, '')).stderr).toContain('The secret is missing.');
});

test('a stored secret is not sent to another service, nor used for another client', async () => {
  const home = await newHome('elsewhere');
  expect((await login(home, administrator.clientSecret)).code).toBe(0);
  const environment = { ...nothingSet, XDG_CONFIG_HOME: home };
  const elsewhere = await cli.run(['status', '--url', 'http://127.0.0.1:9'], environment);
  expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
  expect(elsewhere.stderr).toContain('You are not logged in to http://127.0.0.1:9. Run "flaghoist login"');
  const other = await cli.run(['status', '--client-id', 'other'], environment);
  expect(other.stderr).toContain(`You are not logged in to ${service.url()} as other.`);
  expect((await cli.run(['status'], { ...environment, FLAGHOIST_URL: service.url() })).code).toBe(0);
});

test('a stored login that others can read, or that is damaged, is not used', async () => {
  const home = await newHome('unsafe');
  expect((await login(home, administrator.clientSecret)).code).toBe(0);
  const file = join(home, 'flaghoist/login.json');
  const environment = { ...nothingSet, XDG_CONFIG_HOME: home };
  await chmod(file, 0o644);
  expect((await cli.run(['status'], environment)).stderr).toContain(`Others can read ${file}`);
  await chmod(file, 0o600);
  await writeFile(file, '{"url": "http');
  expect((await cli.run(['status'], environment)).stderr).toBe(
    `error: ${file} is damaged. Run "flaghoist login" again.\n`,
  );
  // A new login replaces it.
  expect((await login(home, administrator.clientSecret)).code).toBe(0);
});

test('wrong usage is exit code 2 with a suggestion, and a service that is away is 1', async () => {
  expect(await cli.refusal(2, 'statsu')).toBe('error: unknown command "statsu". Did you mean "status"?\n');
  expect(await cli.refusal(2, 'subscription', 'lst')).toContain('(Did you mean list?)');
  expect(await cli.refusal(2, 'status', '--jsn')).toContain('(Did you mean --json?)');
  expect(await cli.refusal(2, 'why')).toContain("missing required argument 'subscription'");
  expect((await cli.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await cli.run(['help', 'listen'])).stdout).toContain('--forward-to <url>');
  const away = await cli.run(['subscription', 'list'], { FLAGHOIST_URL: 'http://127.0.0.1:1' });
  expect({ code: away.code, stdout: away.stdout }).toEqual({ code: 1, stdout: '' });
  expect(away.stderr).toContain('error: The service cannot be reached');
});

test.each([
  ['localhost:8080', ': did you mean http://localhost:8080?'],
  ['flaghoist.example.com/', ': did you mean http://flaghoist.example.com/?'],
  // It is not repeated: it may have a password.
  ['user:pass-word@flaghoist.example.com', '.'],
  ['ftp://flaghoist.example.com', '.'],
])('the URL %s is rejected', async (url, end) => {
  const problem = `error: The URL of the service must begin with http:// or https://${end}\n`;
  expect(await cli.refusal(2, 'status', '--url', url)).toBe(problem);
  expect((await login(await newHome(encodeURIComponent(url)), administrator.clientSecret, '--url', url)).stderr).toBe(
    problem,
  );
});
