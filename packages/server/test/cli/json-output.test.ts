// `--json` of every command: one JSON document or lines of JSON on standard output, and an error as a line of JSON on
// standard error.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useCli } from '../../../cli/test/support/cli.ts';
import { startTarget } from '../../../cli/test/support/target.ts';
import { createProgram, runCommandLine } from '../../src/cli/command-line.ts';
import { storeDelivered } from '../deliver/replays.ts';
import { administrator, administratorSettings } from '../support/access.ts';
import { createFleet, createVoyage } from '../support/fleet.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const empty = useTestDatabase({ isMigrated: false });
const cli = useCli(service.url, {
  program: { path: 'packages/server/dist/main.js', execute: runCommandLine },
  environment: () => ({ DATABASE_URL: service.database.url, ...administratorSettings }),
});

let voyage: number;
beforeAll(async () => {
  voyage = (await createVoyage(service, await createFleet(service))).key;
});

/** The commands whose JSON was seen, as `user create`. */
const seen = new Set<string>();

/** `command`: without arguments and options. */
async function json(command: string, ...args: string[]) {
  const result = await cli.json(...command.split(' '), ...args);
  seen.add(command);
  return result;
}

function plant(name: string, secret: string): void {
  service.secrets.plant(name, secret);
}

test('commands on settings', async () => {
  const settings = await json('settings');
  expect(settings).toContainEqual(expect.objectContaining({ variable: 'FLAGHOIST_PORT', default: '8080' }));
  for (const setting of settings) expect(Object.keys(setting)).toEqual(['variable', 'default', 'description']);
  expect(await json('check-config')).toEqual({ isValid: true, objectTypes: expect.any(Number), warnings: [] });
  const { stdout } = await cli.run(['check-config', '--json'], { FLAGHOIST_PROT: '1' });
  expect(JSON.parse(stdout).warnings).toEqual([expect.stringContaining('Did you mean FLAGHOIST_PORT?')]);
});

test('commands on the database', async () => {
  expect(await json('migrate')).toEqual({ steps: [] });
  const user = await json('user create', 'agent', '--name', 'Agent');
  expect(user).toMatchObject({ userCode: 'agent', active: true });
  expect(await json('user list')).toContainEqual(user);
  expect(await json('user disable', 'agent')).toMatchObject({ key: user.key, active: false });
  expect(await json('user enable', 'agent')).toMatchObject({ key: user.key, active: true });
  const client = await json('client create', '--user', 'agent', '--scope', 'read', 'webhook');
  plant('the secret of a client', client.clientSecret);
  const { clientSecret: _, ...shown } = client;
  expect(await json('client list')).toContainEqual(expect.objectContaining({ clientId: client.clientId }));
  expect(await json('client disable', client.clientId)).toMatchObject({ key: shown.key, active: false });
  expect(await json('client enable', client.clientId)).toMatchObject({ key: shown.key, active: true });
  const rotated = await json('client rotate', client.clientId, '--grace', '1h');
  plant('the new secret of a client', rotated.clientSecret);
  expect(rotated).toMatchObject({ clientId: client.clientId, previousSecretExpiresDate: expect.any(String) });
  const link = await json('console-link', '--user', 'agent');
  expect(link).toEqual({ url: expect.any(String), userCode: 'agent', expiresDate: expect.any(String) });
  plant('the code of a link to the console', new URL(link.url).hash.slice('#code='.length));
  const keys = await json('key list');
  expect(keys).toMatchObject([{ kid: expect.any(String) }]);
  expect(await json('key rotate')).toEqual({ kid: expect.any(String) });
});

test('commands on subscriptions and notifications', async () => {
  const target = await startTarget();
  const created = await json('subscription create', '--event', 'Voyage.U', '--to', target.url, '--name', 'json');
  plant('a signing secret', created.signingSecret);
  const { key } = created;
  expect(await json('subscription list')).toContainEqual(expect.objectContaining({ key, name: 'json' }));
  expect(await json('subscription show', 'json')).toMatchObject({ key, state: 'ACTIVE' });
  expect(await json('subscription test', 'json', '--object', String(voyage))).toMatchObject({ isNotified: true });
  expect(await json('subscription ping', 'json')).toMatchObject({ isDelivered: true, statusCode: 204 });
  const changed = await json('trigger', 'Voyage.U', '--key', String(voyage), '--set', 'comments=late');
  expect(changed).toMatchObject({ event: 'Voyage.U', key: voyage, changes: [{ attribute: 'comments', new: 'late' }] });
  expect(await json('why', 'json', '--object', String(voyage))).toMatchObject([
    { isNotified: true, subscription: key },
  ]);
  const [notification] = await json('notification list', '--subscription', 'json');
  expect(await json('notification show', String(notification.key))).toMatchObject({ id: notification.id });
  await storeDelivered(service, key, 1);
  expect(await json('resend', '--subscription', 'json', '--dry-run')).toMatchObject({ total: 0, job: null });
  expect(await json('replay', '--subscription', 'json', '--dry-run')).toMatchObject({ total: expect.any(Number) });
  expect(await json('status')).toMatchObject({ status: 'ready', subscriptions: { deactivated: 0 } });
  expect(await json('subscription unsubscribe', 'json')).toMatchObject({ key, state: 'UNSUBSCRIBED' });
});

test('commands that write for other programs', async () => {
  const { shell, script } = await json('completion', 'bash');
  expect([shell, script]).toEqual(['bash', expect.stringContaining('complete -F')]);
  const { types, objectTypes } = await json('types', '--only', 'Port');
  expect([types, objectTypes]).toEqual([expect.stringContaining('export interface Catalogue'), expect.any(Array)]);
});

test('login and logout', async () => {
  const environment = { FLAGHOIST_CLIENT_SECRET: '', XDG_CONFIG_HOME: `${cli.configFolder}/login` };
  const login = await cli.runProgram(['login', '--json'], environment, `${administrator.clientSecret}\n`);
  const { file } = JSON.parse(login.stdout);
  expect(JSON.parse(login.stdout)).toEqual({ url: service.url(), clientId: administrator.clientId, file });
  seen.add('login');
  const logout = await cli.run(['logout', '--json'], environment);
  expect(JSON.parse(logout.stdout)).toEqual({ file, isRemoved: true });
  seen.add('logout');
});

describe('commands that run until they are stopped print lines', () => {
  test('of notifications', async () => {
    const listen = cli.start(['listen', '--event', 'Voyage.U', '--json']);
    await listen.says(/^Listening to /m);
    const tail = cli.start(['notification', 'tail', '--json']);
    for (let count = 0; tail.stdout === '' || listen.stdout === ''; count += 1)
      await service.put(`/ws/rest/Voyage/${voyage}`, { comments: `change ${count}` });
    expect(await listen.lines(1)).toContainEqual(expect.objectContaining({ event: 'Voyage.U', objectKey: voyage }));
    expect(await tail.lines(1)).toContainEqual(expect.objectContaining({ objectType: 'Voyage', objectKey: voyage }));
    expect([await listen.end('SIGINT'), await tail.end('SIGINT')]).toEqual([0, 0]);
    seen.add('listen').add('notification tail');
  });

  test('of the places of a service, and of the changes of the demo', { timeout: 90_000 }, async () => {
    const served = cli.start(['serve', '--json'], { FLAGHOIST_PORT: '0', FLAGHOIST_LOG_LEVEL: 'debug' });
    const [places] = await served.lines(1);
    expect(places).toMatchObject({
      roles: ['api', 'worker'],
      url: expect.stringMatching(/^http:/),
      database: { kind: 'server', version: expect.any(String) },
      dataDir: null,
      firstClient: null,
    });
    const demo = cli.start(['demo', '--every', '0', '--json'], { FLAGHOIST_BASE_URL: places.url });
    expect((await demo.lines(3))[0]).toEqual({ time: expect.any(String), text: expect.any(String), url: places.url });
    expect([await demo.end('SIGINT'), await served.end('SIGINT')]).toEqual([0, 0]);
    // The log is not among them.
    expect(served.stdout.trim().split('\n')).toHaveLength(1);
    seen.add('serve').add('demo');
  });
});

test('of a backup and its restore', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-json-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'backup.gz');
  const made = await json('backup', file);
  expect(made).toMatchObject({ file, tables: expect.any(Number), rows: expect.any(Number), hasEncryptionKey: false });
  const { stdout } = await cli.run(['restore', file, '--json'], { DATABASE_URL: empty.url });
  const { tables, rows } = made;
  expect(JSON.parse(stdout)).toMatchObject({ file, tables, rows, savedKeyFile: null, migrations: [] });
  seen.add('restore');
});

test('no command is left out', () => {
  const leaves = (command: Command, path: string[]): string[] =>
    command.commands.length === 0
      ? [path.join(' ')]
      : command.commands.flatMap((one) => leaves(one, [...path, one.name()]));
  expect([...seen].sort()).toEqual(leaves(createProgram(), []).sort());
});

describe('an error is a line of JSON on standard error, and nothing is on standard output', () => {
  async function failure(code: 1 | 2, ...args: string[]) {
    const text = await cli.refusal(code, ...args, '--json');
    expect(text).toMatch(/^\{.*\}\n$/);
    return JSON.parse(text).error;
  }

  test('of wrong usage', async () => {
    for (const [message, ...args] of [
      [/^unknown command "lst"/, 'lst'],
      [/^unknown command 'lst' \(Did you mean list\?\)$/, 'subscription', 'lst'],
      [/^unknown option '--jsn' \(Did you mean --json\?\)$/, 'status', '--jsn'],
      [/^missing required argument 'subscription'$/, 'why'],
      [/^required option '--name <name>' not specified$/, 'user', 'create', 'x'],
      [/^--object: "x" is not a key/, 'why', '1', '--object', 'x'],
      [/Allowed choices are bash, zsh, fish/, 'completion', 'tcsh'],
    ] as [RegExp, ...string[]][])
      expect(await failure(2, ...args)).toEqual({ code: 'usage', message: expect.stringMatching(message) });
  });

  test('of the service, with all its mistakes', async () => {
    const create = ['subscription', 'create', '--event', 'Voyage.U', '--expression', '.nonsense = 1'];
    expect(await failure(1, ...create)).toEqual({
      code: 'invalidBody',
      status: 400,
      message: expect.any(String),
      violations: [{ path: 'expression', message: expect.stringContaining('nonsense') }],
      requestId: expect.any(String),
    });
    expect(await failure(1, 'notification', 'show', '999999999')).toMatchObject({ code: 'notFound', status: 404 });
    expect(await failure(1, 'subscription', 'show', 'nobody')).toMatchObject({ code: 'failed' });
  });

  test('of the way to it', async () => {
    const away = await cli.run(['subscription', 'list', '--json'], { FLAGHOIST_URL: 'http://127.0.0.1:9999' });
    expect(JSON.parse(away.stderr).error).toMatchObject({ code: 'network', message: expect.stringContaining('9999') });
    const wrong = await cli.run(['subscription', 'list', '--json'], { FLAGHOIST_CLIENT_SECRET: 'a-wrong-secret' });
    expect(JSON.parse(wrong.stderr).error).toMatchObject({ code: 'invalid_client', status: 401 });
    expect(wrong.stderr).not.toContain('a-wrong-secret');
  });

  test('of commands on settings and the database', async () => {
    expect(await failure(1, 'user', 'disable', 'nobody')).toMatchObject({
      code: 'failed',
      message: expect.stringContaining('There is no user "nobody".'),
    });
    expect(await failure(1, 'user', 'create', 'mistaken', '--name', 'x', '--email', 'no address')).toMatchObject({
      code: 'invalidBody',
      violations: [{ path: 'email' }],
    });
    const { code, stdout, stderr } = await cli.run(['check-config', '--json'], { FLAGHOIST_PORT: 'x' });
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'failed',
      message: expect.stringContaining('FLAGHOIST_PORT'),
    });
  });

  test('but text, where the result would be text', async () => {
    expect(await cli.refusal(2, 'lst')).toBe('error: unknown command "lst". "flaghoist --help" lists the commands.\n');
    expect(await cli.refusal(2, 'listen', '--no-json')).toMatch(/^error: What to listen to\?/);
  });
});
