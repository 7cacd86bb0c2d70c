// A service whose one type has an action of each form; they answer what they were given.

import { afterAll, beforeAll } from 'vitest';
import { accessActions } from '../../src/auth/clients/access-actions.ts';
import { makeFirstClient } from '../../src/auth/clients/bootstrap-client.ts';
import { accessRules } from '../../src/auth/clients/client-rules.ts';
import { loadEncryption } from '../../src/auth/encryption/encryption-key.ts';
import { openAuth } from '../../src/auth/open-auth.ts';
import { systemClock } from '../../src/clock.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { Database } from '../../src/database/database.ts';
import { openListener } from '../../src/edge/listener.ts';
import { ResponsesInFlight } from '../../src/edge/response/responses-in-flight.ts';
import { HttpServer } from '../../src/edge/server.ts';
import { buildModel, type Declarations } from '../../src/model/build-model.ts';
import { access } from '../../src/model/catalogue/access.ts';
import type { ActionHandler } from '../../src/objects/action-call.ts';
import { openObjects } from '../../src/objects/objects.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { restPath } from '../../src/paths.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { modelDigest } from '../support/model-digest.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { unusedOperations } from '../support/unused-operations.ts';

const beacons: Declarations = {
  Beacon: {
    makesEvents: false,
    access: { read: 'read', write: 'admin' },
    attributes: { name: { kind: 'text' } },
    actions: {
      sightings: {
        summary: 'Who has seen a Beacon',
        description: 'Who has seen it.',
        ofType: { summary: 'Who has seen any Beacon', description: 'Who has seen one of them.' },
        method: 'GET',
        on: 'both',
        answersList: true,
        takes: {
          since: { kind: 'dateTime', description: 'From when on.' },
          by: { kind: 'key' },
          isNight: { kind: 'boolean' },
          colour: { kind: 'code', values: ['RED', 'WHITE'] },
          note: { kind: 'text', maxLength: 5 },
          limit: { kind: 'integer', minimum: 1, maximum: 500, default: 100 },
        },
        answers: { key: { kind: 'key' }, given: { kind: 'json', isRequired: true } },
      },
      range: {
        summary: 'How far a Beacon can be seen',
        description: 'How far it can be seen.',
        method: 'GET',
        since: '5.23',
        deprecated: { since: '2026-01-31', sunset: '2027-01-31', instead: '`sightings`' },
        takes: { height: { kind: 'decimal', isRequired: true } },
        answers: { key: { kind: 'key' }, given: { kind: 'json', isRequired: true } },
      },
      plan: {
        summary: 'Where a Beacon would stand',
        description: 'Where one would stand.',
        on: 'type',
        isRepeatable: true,
        takes: {
          place: { kind: 'json', isRequired: true },
          by: { kind: 'key', deprecated: { since: '2026-03-31' } },
        },
        answers: { key: { kind: 'key' }, given: { kind: 'json', isRequired: true } },
      },
    },
  },
};

export const actionsModel = buildModel({ ...access, ...beacons });

export interface ActionsServer {
  url(): string;
  send(method: string, path: string, options?: Sent): Promise<Answered>;
}

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  /** Of the administrator, where none is given: all. */
  scope?: string;
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

export function useActionsServer(): ActionsServer {
  const testDatabase = useTestDatabase();
  let url: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const { settings } = loadSettings({ FLAGHOIST_STOP_TIMEOUT_SECONDS: '1', ...administratorSettings });
    const observe = () => undefined;
    const listener = await openListener('127.0.0.1', 0);
    url = `http://127.0.0.1:${listener.port}`;
    const database = new Database({ url: testDatabase.url, observe, connectionsMax: 4, statementTimeoutMs: 30_000 });
    const encryption = await loadEncryption(settings, database);
    const rules = accessRules(settings, encryption, systemClock);
    const common = { settings, baseUrl: url, database, observe, clock: systemClock };
    const auth = await openAuth({ ...common, encryption, directoryDatabase: database });
    const server = new HttpServer({
      ...common,
      listener,
      model: actionsModel,
      modelDigest,
      authenticator: auth.authenticator,
      tokenEndpoint: auth.tokenEndpoint,
      consoleParts: auth.consoleParts,
      streams: new Map(),
      operations: unusedOperations,
      operationStreams: unusedOperations,
      actions: new Map([
        ...accessActions({ database, encryption, issuerUrl: undefined, writes: { after: (writing) => writing } }),
        ...echoes,
      ]),
      objects: openObjects(database, actionsModel, { restUrl: url + restPath, arrayObjectsMax: 1000, rules }),
      healthDatabase: database,
      responses: new ResponsesInFlight({ bytesMax: settings.answerBytesMax }),
      metrics: createMetrics(),
    });
    await server.prepare();
    server.open();
    await makeFirstClient({ ...common, encryption });
    stop = async () => {
      await server.stop(0);
      await auth.stop();
      await database.close();
    };
  });
  afterAll(() => stop?.());
  return { url: () => url, send: (method, path, options = {}) => send(url, method, path, options) };
}

const echoes = ['sightings', 'range', 'plan'].map((name): [string, ActionHandler] => [
  `Beacon.${name}`,
  async ({ key, given }) => {
    const told = { key: key ?? null, given: Object.fromEntries(given) };
    return JSON.stringify(name === 'sightings' ? [told] : told);
  },
]);

async function send(url: string, method: string, path: string, { body, headers, scope }: Sent): Promise<Answered> {
  const token = await fetchToken(url, administrator, scope);
  const response = await fetch(`${url}${restPath}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}
