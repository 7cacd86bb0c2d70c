// `GET /ws/rest/installation` and the demo fleet inside the service.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { whyNoDemo } from '../../src/demo/demo-fleet.ts';
import { openBeside, type ServiceBeside, startBeside } from '../auth/service-beside.ts';
import { administrator, administratorSettings, createClient, fetchToken } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { type Answer, useTestService } from '../support/test-service.ts';

const service = useTestService({
  FLAGHOIST_REFERENCE_DATA: 'load',
  FLAGHOIST_METRICS_TOKEN: 'a-token-for-metrics-alone',
  FLAGHOIST_ALERT_URL: 'http://127.0.0.1:9/hooks/T00000/B00000/s3cretpath',
});
const place = '/ws/rest/installation';

function expectError(answer: Answer, status: number, code: string): void {
  expectErrorBody(answer, status);
  expect(answer.headers.get('flaghoist-error')).toBe(code);
}

describe('the installation', () => {
  test('shows an administrator database, settings with their source, workers and queues', async () => {
    const { status, body, text } = await service.get(place);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({
      environment: 'TEST',
      baseUrl: service.url(),
      database: { kind: 'SERVER', version: expect.stringMatching(/^\d+/) },
      demo: { state: 'STOPPED', canStart: true, reason: null, failure: null },
      workers: [{ state: 'ALIVE', leaseEnds: expect.stringMatching(/Z$/) }],
    });
    expect(Math.abs(Date.parse(body.startedAt) - Date.now())).toBeLessThan(600_000);
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual([
      'events',
      'shaping',
      'ready',
      'blocked',
      'retry',
      'parked',
      'stream',
    ]);
    const setting = (name: string) => body.settings.find((each: { variable: string }) => each.variable === name);
    expect(setting('FLAGHOIST_PORT')).toMatchObject({ value: '0', source: 'ENVIRONMENT', isSecret: false });
    expect(setting('FLAGHOIST_DELIVERY_ATTEMPTS')).toMatchObject({ value: '5', source: 'DEFAULT' });
    expect(setting('FLAGHOIST_MODEL_FILE')).toMatchObject({ value: null, source: 'NOT_SET' });
  });

  test('shows no secret, but says that it is set', async () => {
    const { body, text } = await service.get(place);
    const secret = body.settings.filter(({ isSecret }: { isSecret: boolean }) => isSecret);
    expect(secret.map(({ variable }: { variable: string }) => variable).sort()).toEqual([
      'DATABASE_URL',
      'FLAGHOIST_ALERT_URL',
      'FLAGHOIST_BOOTSTRAP_CLIENT_SECRET',
      'FLAGHOIST_CONSOLE_CLIENT_SECRET',
      'FLAGHOIST_DEMO_CLIENT_SECRET',
      'FLAGHOIST_EGRESS_PROXY',
      'FLAGHOIST_ENCRYPTION_KEY',
      'FLAGHOIST_METRICS_TOKEN',
      'FLAGHOIST_SMTP_URL',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    ]);
    expect(secret.filter(({ value }: { value: unknown }) => value !== null)).toEqual([]);
    const given = secret.filter(({ source }: { source: string }) => source === 'ENVIRONMENT');
    expect(given.map(({ variable }: { variable: string }) => variable)).toContain('FLAGHOIST_METRICS_TOKEN');
    expect(text).not.toContain('a-token-for-metrics-alone');
    expect(text).not.toContain('s3cretpath');
  });

  test('shows others neither settings nor database, workers and queues', async () => {
    const reader = await createClient(service, ['read']);
    const { status, body } = await service.get(place, reader.headers);
    expect(status).toBe(200);
    expect(body).toMatchObject({ environment: 'TEST', database: null, settings: null, workers: null, queues: null });
    const hook = await createClient(service, ['webhook']);
    expectError(await service.get(place, hook.headers), 403, 'insufficientScope');
  });

  test('is shown to an administrator who looks as another user as that user sees it', async () => {
    const reader = await createClient(service, ['read']);
    const { body } = await service.get(place, { 'flaghoist-view-as': String(reader.userKey) });
    expect(body.settings).toBe(null);
  });
});

describe('the demo fleet', () => {
  afterEach(() => service.post(`${place}/demo`, { action: 'STOP' }));

  const change = (action: string, headers = {}): Promise<Answer> => service.post(`${place}/demo`, { action }, headers);
  const lastChange = async () => (await service.get('/ws/rest/changes?limit=1')).body.changes[0]?.id ?? 0;
  const voyages = async () => (await service.get('/ws/rest/Voyage?filter=externalObjectKey(LIKE)demo-%25')).body.length;
  const stateAt = async (one: ServiceBeside) => {
    const token = await fetchToken(one.localUrl, administrator);
    const response = await fetch(`${one.localUrl}${place}`, { headers: { authorization: `Bearer ${token}` } });
    return ((await response.json()) as { demo: { state: string } }).demo.state;
  };

  const askAt = async (one: ServiceBeside, action: string) => {
    const token = await fetchToken(one.localUrl, administrator);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return fetch(`${one.localUrl}${place}/demo`, { method: 'POST', headers, body: JSON.stringify({ action }) });
  };
  const observed = (wanted: string) => service.observations.filter(({ kind }) => kind === wanted).length;

  test('sails when it is started, and lies still when it is stopped', async () => {
    const started = await change('START');
    expect(started.status, started.text).toBe(200);
    expect(started.body).toEqual({ demo: { state: 'RUNNING', canStart: true, reason: null, failure: null } });
    await expect.poll(voyages, { timeout: 20_000 }).toBeGreaterThan(0);
    const first = await lastChange();
    await expect.poll(lastChange, { timeout: 20_000 }).toBeGreaterThan(first);
    expect((await change('STOP')).body.demo.state).toBe('STOPPED');
    // A request that was on its way may still be carried out.
    await sleep(1_000);
    const last = await lastChange();
    await sleep(5_000);
    expect(await lastChange()).toBe(last);
  });

  test('is run by one process of several; each sees it, and each stops it', async () => {
    const beside = await startBeside(service.database, {});
    await change('START');
    await expect.poll(() => stateAt(beside)).toBe('RUNNING');
    expect((await askAt(beside, 'START')).status).toBe(200);
    expect(beside.observations.filter(({ kind }) => kind === 'demo.started')).toEqual([]);
    const stops = () => observed('demo.stopped');
    const before = stops();
    expect((await askAt(beside, 'STOP')).status).toBe(200);
    expect((await service.get(place)).body.demo.state).toBe('STOPPED');
    await expect.poll(stops, { timeout: 10_000 }).toBe(before + 1);
    await expect.poll(async () => (await change('START')).body.demo.state, { timeout: 10_000 }).toBe('RUNNING');
  });

  test('that is started again right after another process has stopped it, sails once, and can be stopped', async () => {
    const beside = await startBeside(service.database, {});
    const running = () => observed('demo.started') - observed('demo.stopped') - observed('demo.failed');
    await expect.poll(running).toBe(0);
    await change('START');
    expect((await askAt(beside, 'STOP')).status).toBe(200);
    expect((await change('START')).body.demo.state).toBe('RUNNING');
    expect(running()).toBe(1);
    expect(observed('demo.failed')).toBe(0);
    expect((await change('STOP')).body.demo.state).toBe('STOPPED');
    expect(running()).toBe(0);
  });

  test('ends with its process, and another one can start it', async () => {
    const beside = await openBeside(service.database, {});
    const token = await fetchToken(beside.localUrl, administrator);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ action: 'START' });
    await fetch(`${beside.localUrl}${place}/demo`, { method: 'POST', headers, body });
    expect((await service.get(place)).body.demo.state).toBe('RUNNING');
    await beside.stop();
    expect((await service.get(place)).body.demo.state).toBe('STOPPED');
    expect((await change('START')).body.demo.state).toBe('RUNNING');
  });

  test('of a process that was killed counts as stopped after ten seconds', async () => {
    const { pool } = service.database;
    await pool.query(`insert into flaghoist_system.demo_fleet (run, alive_until)
      values ('11111111-1111-4111-8111-111111111111', now() - interval '1 second')`);
    expect((await service.get(place)).body.demo.state).toBe('STOPPED');
    expect((await change('START')).body.demo.state).toBe('RUNNING');
  });

  test('is started and stopped by administrators only, and not by one who looks as another user', async () => {
    const writer = await createClient(service, ['write', 'webhook']);
    expectError(await change('START', writer.headers), 403, 'insufficientScope');
    const viewing = { 'flaghoist-view-as': String(writer.userKey) };
    expectError(await change('START', viewing), 403, 'viewOnly');
    expect((await service.get(place)).body.demo.state).toBe('STOPPED');
  });

  test.each([
    ['no action', {}],
    ['an unknown action', { action: 'SAIL' }],
    ['an unknown member', { action: 'START', speed: 12 }],
    ['a list', ['START']],
  ])('is not started by %s', async (_, body) => {
    expectError(await service.post(`${place}/demo`, body), 400, 'invalidBody');
  });

  test('that fails says so in a plain sentence, at every process, until it is started or stopped', async () => {
    const beside = await startBeside(service.database, {});
    const demo = async () => (await service.get(place)).body.demo;
    const atBeside = async () => {
      const token = await fetchToken(beside.localUrl, administrator);
      const response = await fetch(`${beside.localUrl}${place}`, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { demo: object }).demo;
    };
    await change('START');
    await setActive(false);
    const failure = expect.stringMatching(/^The demo fleet has stopped: .* could not get a token\./);
    await expect.poll(demo, { timeout: 20_000 }).toMatchObject({ state: 'STOPPED', canStart: true, failure });
    expect(await atBeside()).toMatchObject({ state: 'STOPPED', failure });
    expect((await demo()).failure).not.toMatch(/http|127\.0\.0\.1|secret|error_/i);
    expect((await change('STOP')).body.demo.failure).toBe(null);
    await setActive(true);
    expect((await change('START')).body.demo).toMatchObject({ state: 'RUNNING', failure: null });
  });

  const setActive = async (active: boolean) => {
    const [client] = (await service.get('/ws/rest/ApiClient?filter=clientId(EQ)demo-fleet')).body;
    const answer = await service.put(`/ws/rest/ApiClient/${client.key}`, { active });
    expect(answer.status, answer.text).toBe(200);
  };

  test('says what to do if its client was disabled', async () => {
    await change('START');
    await change('STOP');
    const [client] = (await service.get('/ws/rest/ApiClient?filter=clientId(EQ)demo-fleet')).body;
    await service.put(`/ws/rest/ApiClient/${client.key}`, { active: false });
    const answer = await change('START');
    expectError(answer, 409, 'noDemo');
    expect(answer.body.message).toContain('flaghoist client enable demo-fleet');
    expect((await service.get(place)).body.demo.state).toBe('STOPPED');
    await service.put(`/ws/rest/ApiClient/${client.key}`, { active: true });
  });
});

test.each([
  ['production', { FLAGHOIST_ENVIRONMENT: 'production' }, /only in a test environment/],
  ['an external issuer', { FLAGHOIST_ISSUER_URL: 'http://127.0.0.1:9/' }, /Tokens come from/],
])('with %s there is no demo fleet', async (_, environment, reason) => {
  expect(whyNoDemo(loadSettings({ ...administratorSettings, ...environment }).settings)).toMatch(reason);
});
