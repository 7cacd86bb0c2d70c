// A service whose console signs in at an external issuer that we did not write. When the tests are done, nothing that it
// answered, logged or stored may hold a code, a cookie or a token.

import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { type Environment, loadSettings } from '../../src/config/load-settings.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administratorSettings } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import {
  expectNoneFound,
  PlantedSecrets,
  plantSettings,
  recordSearched,
  watchAnswers,
} from '../support/planted-secrets.ts';
import { useTestDatabase } from '../support/test-database.ts';
import type { Answer } from '../support/test-service.ts';
import { Browser, sessionIdOf } from './console-browser.ts';
import { consoleSecret, usePeopleIssuer } from './people-issuer.ts';

interface Returned {
  authorizationCode: string;
  state: string;
}

/** To be called at the top of a test file. */
export function useConsoleAtIssuer() {
  const issuer = usePeopleIssuer();
  const database = useTestDatabase();
  const encryptionKey = administratorSettings.FLAGHOIST_ENCRYPTION_KEY!;
  const encryption = openEncryption(Buffer.from(encryptionKey, 'base64'));
  const observations: Observation[] = [];
  const secrets = new PlantedSecrets();
  const seen = new Set<string>();
  let service: Service;
  let stopWatching: () => void;

  beforeAll(async () => {
    const settings = settingsFor({});
    plantSettings(secrets, settings);
    stopWatching = watchAnswers(secrets, () => service && Number(new URL(service.localUrl).port));
    service = await startService(settings, (observation) => observations.push(observation));
  });
  afterAll(async () => {
    await service?.stop();
    stopWatching?.();
    for (const secret of seen) secrets.plant('a cookie, code or token of a sign-in at the issuer', secret);
    secrets.searchLog(observations);
    await secrets.searchTables(database.pool);
    recordSearched(secrets);
    expectNoneFound(secrets);
  });

  function settingsFor(environment: Environment) {
    return loadSettings({
      FLAGHOIST_PORT: '0',
      DATABASE_URL: database.url,
      FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
      FLAGHOIST_REFERENCE_DATA: 'skip',
      FLAGHOIST_ENCRYPTION_KEY: encryptionKey,
      FLAGHOIST_BASE_URL: 'https://fleet.example',
      FLAGHOIST_ISSUER_URL: issuer.url(),
      FLAGHOIST_BOOTSTRAP_CLIENT_ID: 'fleet-administrator',
      FLAGHOIST_CONSOLE_CLIENT_ID: 'fleet-console',
      FLAGHOIST_CONSOLE_CLIENT_SECRET: consoleSecret,
      FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: '0',
      ...environment,
    }).settings;
  }

  async function startOther(environment: Environment): Promise<Service> {
    const other = await startService(settingsFor(environment), (observation) => observations.push(observation));
    onTestFinished(() => other.stop());
    return other;
  }

  function open(url = () => service.localUrl): Browser {
    return new Browser(url, (secret) => seen.add(secret));
  }

  /** What the browser comes back with. */
  async function authorize(browser: Browser, person: string): Promise<Returned> {
    const { status, body, text } = await browser.send('POST', '/console/session/authorization');
    expect(status, text).toBe(200);
    const returned = await issuer.signIn(body.url, person);
    const [authorizationCode = '', state = ''] = [returned.get('code'), returned.get('state')].map(String);
    for (const secret of [authorizationCode, state]) seen.add(secret);
    return { authorizationCode, state };
  }

  async function signIn(browser: Browser, person: string): Promise<Answer> {
    return browser.signIn(await authorize(browser, person));
  }

  async function signedIn(person: string): Promise<Browser> {
    const browser = open();
    const answer = await signIn(browser, person);
    expect(answer.status, answer.text).toBe(200);
    return browser;
  }

  async function call(token: string, method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${service.localUrl}/ws/rest/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  async function callAsAdministrator(method: string, path: string, body?: unknown): Promise<Answer> {
    return call(await issuer.fetchToken(), method, path, body);
  }

  /** The ApiClient of a person; its key. */
  async function admit(person: string, scopes: string[]): Promise<number> {
    const user = await callAsAdministrator('POST', 'ApiUser', { userCode: person.replace(/\W/g, '-'), name: person });
    const made = await callAsAdministrator('POST', 'ApiClient', {
      clientId: `sub:${person}`,
      user: user.body.key,
      scopes,
    });
    expect(made.status, made.text).toBe(201);
    return made.body.key;
  }

  /** As if the access token were nearly over. */
  async function age(browser: Browser, leftMs = 1_000): Promise<void> {
    const [id, table] = [sessionIdOf(browser.cookie!), 'flaghoist_system.console_session'];
    const { rows } = await database.pool.query(`select issuer_tokens from ${table} where id = $1`, [id]);
    const purpose = `console session ${id}`;
    const kept = JSON.parse(encryption.decrypt(purpose, rows[0].issuer_tokens));
    for (const secret of [kept.accessToken.split('.')[2], kept.refreshToken]) if (secret) seen.add(secret);
    const expiresAtMs = Date.now() + leftMs;
    const receivedAtMs = kept.receivedAtMs - (kept.expiresAtMs - expiresAtMs);
    const aged = encryption.encrypt(purpose, JSON.stringify({ ...kept, receivedAtMs, expiresAtMs }));
    await database.pool.query(`update ${table} set issuer_tokens = $2 where id = $1`, [id, aged]);
  }

  function expectFault(answer: Answer, reason: RegExp): void {
    expectErrorBody(answer, 502);
    expect(answer.headers.get('flaghoist-error')).toBe('issuerFault');
    expect(observations.at(-1)?.kind === 'request.completed' ? observations.at(-2) : observations.at(-1)).toEqual({
      kind: 'console.issuerFailed',
      reason: expect.stringMatching(reason),
    });
  }

  return {
    issuer,
    database,
    encryption,
    service: () => service,
    startOther,
    open,
    authorize,
    signIn,
    signedIn,
    call,
    callAsAdministrator,
    admit,
    age,
    expectFault,
  };
}
