// One more process of an installation: a service on the database of another one, on a port of its own.

import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { type Environment, loadSettings } from '../../src/config/load-settings.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administratorSettings } from '../support/access.ts';
import type { TestDatabase } from '../support/test-database.ts';

export interface ServiceBeside extends Service {
  observations: Observation[];
}

/** Stops with the test that started it, at the latest. */
export async function startBeside(
  database: Pick<TestDatabase, 'url' | 'pool'>,
  environment: Environment = {},
  clock: Clock = systemClock,
): Promise<ServiceBeside> {
  const service = await openBeside(database, environment, clock);
  onTestFinished(() => service.stop());
  return service;
}

/** To be stopped by whoever starts it. */
export async function openBeside(
  database: Pick<TestDatabase, 'url' | 'pool'>,
  environment: Environment = {},
  clock: Clock = systemClock,
): Promise<ServiceBeside> {
  const observations: Observation[] = [];
  const { settings } = loadSettings({
    FLAGHOIST_PORT: '0',
    DATABASE_URL: database.url,
    FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
    FLAGHOIST_REFERENCE_DATA: 'skip',
    ...administratorSettings,
    ...environment,
  });
  const service = await startService(settings, (observation) => observations.push(observation), clock);
  return { ...service, observations };
}

/** What a GET of a list is answered with. */
export async function statusOf(url: string, token: string, resource = 'Currency'): Promise<number> {
  const response = await fetch(`${url}/ws/rest/${resource}?limit=1`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}
