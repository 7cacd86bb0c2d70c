// `flaghoist demo`: runs a moving fleet in the service at the configured URL. If no service runs there, one is started
// for the duration of the demo. The demo creates its client in the configured database, or uses a given client.

import { resolve } from 'node:path';
import type { OutputOptions } from '@flaghoist/cli';
import { audienceOf } from '../config/audience-of.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { findEmbedded } from '../database/embedded-server.ts';
import { type DemoAccess, refreshDemoClient } from '../demo/demo-client.ts';
import { runDemo } from '../demo/run-demo.ts';
import type { ClientCredentials } from '../demo/service-client.ts';
import { localUrl } from '../edge/listener.ts';
import { OperatorError } from '../errors.ts';
import { createLog } from '../observe/log.ts';
import { type Service, startService } from '../service.ts';
import { awaitReady, isAlive } from './await-ready.ts';
import { renderFirstSteps } from './first-steps.ts';
import { withInstallation } from './with-installation.ts';

/** The id of the demo's client. */
const demoClient = 'demo';

export interface DemoCommandOptions extends OutputOptions {
  every: string;
  clientId?: string;
}

export async function demoCommand({ every, clientId, json }: DemoCommandOptions): Promise<void> {
  const tickMs = Number(every) * 1000;
  if (!(tickMs >= 0 && tickMs <= 3_600_000))
    throw new OperatorError('--every takes a number of seconds from 0 to 3600.');
  const { settings } = loadSettings();
  if (settings.issuerUrl !== undefined)
    throw new OperatorError(
      `The demo cannot run here: tokens come from ${settings.issuerUrl} (FLAGHOIST_ISSUER_URL), where it cannot ` +
        'get any.',
    );
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const url = settings.baseUrl ?? localUrl(settings.host, settings.port);
  const given = clientId === undefined ? undefined : givenCredentials(clientId, settings);
  const out = json ? process.stderr : process.stdout;
  const service = (await isAlive(url)) ? undefined : await startOwn(settings, { url, given, out });
  try {
    const baseUrl = service?.localUrl ?? url;
    await awaitReady(baseUrl, stopping.signal);
    const credentials = given ?? (await makeCredentials(settings, baseUrl));
    process.stdout.write(json ? '' : welcome(baseUrl, service));
    const print = (text: string, time: Date) =>
      process.stdout.write(
        json ? `${JSON.stringify({ time, text, url: baseUrl })}\n` : `${time.toTimeString().slice(0, 8)}  ${text}\n`,
      );
    await runDemo({ baseUrl, credentials, signal: stopping.signal, tickMs, print });
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    await service?.stop();
  }
}

function givenCredentials(clientId: string, settings: Settings): ClientCredentials {
  const { demoClientSecret } = settings;
  if (demoClientSecret === undefined)
    throw new OperatorError(`Set FLAGHOIST_DEMO_CLIENT_SECRET to the secret of the client ${clientId}.`);
  return { clientId, clientSecret: demoClientSecret, audience: audienceOf(settings) };
}

/** Logs only warnings, because the user wants to see the changes and not the log of a service. */
async function startOwn(settings: Settings, { url, given, out }: OwnServiceOptions): Promise<Service> {
  if (given)
    throw new OperatorError(
      `No service responds at ${url}. Set FLAGHOIST_BASE_URL to where the client ${given.clientId} is known.`,
    );
  const service = await startService(settings, createLog({ level: 'warn', format: settings.logFormat }, out));
  // A generated secret is shown only now.
  if (service.bootstrapClient) out.write(`\n${renderFirstSteps(service, settings)}`);
  return service;
}

interface OwnServiceOptions {
  url: string;
  given: ClientCredentials | undefined;
  /** Where the log and the first steps go. */
  out: NodeJS.WriteStream;
}

async function makeCredentials(settings: Settings, url: string): Promise<ClientCredentials> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl === undefined && (await findEmbedded(resolve(dataDir))) === undefined)
    throw new OperatorError(
      `The service at ${url} does not use the data folder ${resolve(dataDir)}, so the demo cannot create its own ` +
        'client. Set FLAGHOIST_DATA_DIR or DATABASE_URL as for the service, or pass a client with --client-id.',
    );
  const refresh = (installation: DemoAccess) => refreshDemoClient(installation, demoClient);
  const clientSecret = await withInstallation(refresh, { settings, needsKey: true });
  return { clientId: demoClient, clientSecret, audience: audienceOf(settings) };
}

function welcome(baseUrl: string, service: Service | undefined): string {
  const place = `${service ? 'a service of its own' : 'the service'} at ${baseUrl} (docs at ${baseUrl}/docs)`;
  return `\n  The demo fleet is in ${place}. Ctrl+C ends it.\n\n`;
}
