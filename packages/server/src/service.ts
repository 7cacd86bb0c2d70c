// The composition root: creates the parts in the order of the data flow, and stops them in reverse. The only place that
// knows all of them.

import { openScriptSandbox } from '@flaghoist/script-sandbox';
import { openStylesheets } from '@flaghoist/stylesheets';
import { accessActions } from './auth/clients/access-actions.ts';
import type { BootstrapClient } from './auth/clients/bootstrap-client.ts';
import { loadEncryption } from './auth/encryption/encryption-key.ts';
import { accessRules, makeFirstClient, openAuth } from './auth/open-auth.ts';
import { openChannels } from './channels/registry/open-channels.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Settings } from './config/settings-table.ts';
import { digestOfModel } from './database/applied-model.ts';
import { ClientShares } from './database/client-shares.ts';
import { Database, type DatabaseOptions } from './database/database.ts';
import { createHousekeepingLoop } from './database/housekeeping-loop.ts';
import { migrateServer } from './database/migrate.ts';
import { openServer } from './database/open-server.ts';
import { ServerWatch } from './database/server-watch.ts';
import { WakeUp } from './database/wake-up.ts';
import { deliveryActions } from './deliver/delivery-actions.ts';
import { notificationQueue } from './deliver/notification-queue.ts';
import { type DeliveryParts, openDelivery } from './deliver/open-delivery.ts';
import { resendJobRules } from './deliver/resend/resend-job-rules.ts';
import { readServiceVersion } from './describe/openapi/service-version.ts';
import { localUrl, openListener } from './edge/listener.ts';
import { ResponsesInFlight } from './edge/response/responses-in-flight.ts';
import { HttpServer } from './edge/server.ts';
import { explainActions } from './explain/explain-actions.ts';
import { type Matching, openMatching } from './match/open-matching.ts';
import { loadModel } from './model/model-file/read-model-file.ts';
import type { Model } from './model/object-type.ts';
import { deleteOldAnswers } from './objects/idempotency-table.ts';
import { type Objects, openObjects } from './objects/objects.ts';
import { createMetrics } from './observe/metrics.ts';
import type { Observe } from './observe/observation.ts';
import { restPath } from './paths.ts';
import { loadReferenceData } from './reference-data/load-reference-data.ts';
import { alertScriptRules } from './scripts/alert-script-rules.ts';
import { SandboxTurns } from './scripts/sandbox-turns.ts';
import { openShaping } from './shape/open-shaping.ts';
import { subscriptionRulesOf } from './subscriptions/subscription-rules.ts';
import { wireModel } from './subscriptions/wire-names.ts';

export interface Service {
  /** The public URL. */
  baseUrl: string;
  /** The URL that the process listens on. */
  localUrl: string;
  database: 'embedded' | 'server';
  databaseVersion: string;
  /** The first client of an empty installation, if this process has just created it. */
  bootstrapClient: BootstrapClient | undefined;
  stop(): Promise<void>;
}

/** `msLeft`: the rest of the time that a stop may take. */
type StopStep = (msLeft: () => number) => Promise<void>;

export async function startService(settings: Settings, log: Observe, clock: Clock = systemClock): Promise<Service> {
  const startedAt = performance.now();
  const metrics = createMetrics();
  const observe: Observe = (observation) => {
    log(observation);
    metrics.observe(observation);
  };
  const stops: StopStep[] = [];
  const stop = async () => {
    // All steps share one deadline: a step that ends early leaves its time to the others.
    const endsAt = performance.now() + settings.stopTimeoutMs;
    const msLeft = () => Math.max(0, Math.ceil(endsAt - performance.now()));
    const failures: unknown[] = [];
    // If one step fails, the others still run.
    for (const step of stops.splice(0).reverse()) await step(msLeft).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const model = await loadModel(settings.modelFile);
    const listener = await openListener(settings.host, settings.port, { baseUrl: settings.baseUrl });
    stops.push(() => listener.close(0));
    const local = localUrl(settings.host, listener.port);
    const baseUrl = settings.baseUrl ?? local;

    const { url, version, close } = await openServer(settings, observe);
    stops.push(close);
    const steps = await migrateServer(url, model);
    if (steps.length > 0) observe({ kind: 'database.migrated', steps });
    const watch = new ServerWatch(url, observe);
    stops.push(() => watch.stop());
    const open = (connectionsMax: number, options: Partial<DatabaseOptions> = {}) => {
      const { statementTimeoutMs } = settings;
      const opened = new Database({ url, observe, watch, connectionsMax, statementTimeoutMs, ...options });
      stops.push(() => opened.close());
      return opened;
    };
    const responses: ResponsesInFlight = new ResponsesInFlight({
      bytesMax: settings.answerBytesMax,
      onFreed: (client) => shares.wake(client),
    });
    const shares = new ClientShares({
      connections: settings.databaseConnections,
      mayStart: (client) => responses.mayStart(client),
    });
    const database = open(settings.databaseConnections, { shares });
    const encryption = await loadEncryption(settings, database);

    // For checking and trying out scripts and stylesheets. Notifications use engines of their own.
    const engines = { scripts: openScriptSandbox({ threads: 1 }), stylesheets: openStylesheets({ threads: 1 }) };
    const turns = new SandboxTurns();
    stops.push(async () => {
      await Promise.all([engines.scripts.close(), engines.stylesheets.close()]);
    });

    const links = { restUrl: `${baseUrl}${restPath}` };
    const objects = openObjects(database, model, {
      ...links,
      arrayObjectsMax: settings.arrayObjectsMax,
      rules: new Map([
        ...accessRules(settings, encryption, clock),
        [
          'AlertScript',
          alertScriptRules({
            model,
            database,
            turns,
            sandbox: engines.scripts,
            scriptBytesMax: settings.scriptBytesMax,
          }),
        ],
        [
          'WebhookSubscription',
          subscriptionRulesOf(settings, {
            model,
            encryption,
            clock,
            stylesheets: engines.stylesheets,
            turns,
            queue: notificationQueue,
          }),
        ],
        ['ResendJob', resendJobRules(clock)],
      ]),
    });
    if (settings.referenceData === 'load') await loadReferenceData({ objects, model, observe });
    const housekeeping = createHousekeepingLoop({
      database,
      observe,
      deleteSome: deleteOldAnswers,
      everyMs: forgetAnswersEveryMs,
    });
    housekeeping.start();
    stops.push(() => housekeeping.stop());

    const auth = await openAuth({
      settings,
      baseUrl,
      database,
      directoryDatabase: open(1, { statementTimeoutMs: directoryTimeoutMs }),
      encryption,
      observe,
      clock,
    });
    stops.push(() => auth.stop());

    const channels = openChannels({ settings, version: readServiceVersion(), clock }, observe);
    stops.push((msLeft) => channels.close(msLeft()));
    const modelDigest = digestOfModel(model);
    const openWorkerHere = () =>
      openWorker({ settings, model, modelDigest, links, baseUrl, encryption, channels, observe, open, stops });
    const wake = startWorker(settings.roles.has('worker') ? openWorkerHere : undefined, url, stops);

    const server = new HttpServer({
      listener,
      baseUrl,
      settings,
      model: wireModel(model, settings.wireNames),
      authenticator: auth.authenticator,
      tokenEndpoint: auth.tokenEndpoint,
      actions: new Map([
        ...accessActions({ database, encryption, issuerUrl: settings.issuerUrl, writes: auth.writes }),
        ...explainActions({ settings, model, links, database, objects, clock, engines, turns }),
        ...deliveryActions({ channels: channels.byType, links, database, encryption, clock, observe }),
      ]),
      database,
      modelDigest,
      healthDatabase: open(1, { statementTimeoutMs: healthTimeoutMs }),
      objects: wakingAfterWrites(auth.writes.through(objects), wake),
      responses,
      metrics,
      observe,
      clock,
    });
    await server.prepare();
    stops.push((msLeft) => server.stop(msLeft()));

    // A process without the role `api` takes no calls and needs no client. The first process with that role creates
    // the client and shows its secret.
    const bootstrapClient = settings.roles.has('api')
      ? await makeFirstClient({ settings, database, encryption, observe })
      : undefined;
    // The first client must exist before the process reports that it is ready.
    server.open();
    observe({ kind: 'service.started', url: baseUrl, startupMs: Math.round(performance.now() - startedAt) });
    return {
      baseUrl,
      localUrl: local,
      database: settings.databaseUrl ? 'server' : 'embedded',
      databaseVersion: version,
      bootstrapClient,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface WorkerParts
  extends Pick<DeliveryParts, 'settings' | 'links' | 'baseUrl' | 'encryption' | 'channels' | 'observe'> {
  model: Model;
  modelDigest: string;
  open(connectionsMax: number, options: Partial<DatabaseOptions>): Database;
  stops: StopStep[];
}

/** Lines 2 and 3. New notifications of line 2 go to line 3 by direct dispatch. */
function openWorker({ open, stops, ...parts }: WorkerParts): Matching {
  const delivery = openDelivery({ ...parts, database: open(4, { isForQueues: true }) });
  stops.push((msLeft) => delivery.stop(msLeft()));
  const { directDispatch, wake } = delivery;
  const database = open(2, { isForQueues: true });
  const shaping = openShaping({
    ...parts,
    database: open(2, { isForQueues: true }),
    directDispatch,
    onShaped: wake,
  });
  stops.push(() => shaping.stop());
  const matching = openMatching({ ...parts, database, directDispatch, onMatched: wake, onUnshaped: shaping.wake });
  stops.push(() => matching.stop());
  return matching;
}

/** Returns a function that wakes the worker: in this process, or in the processes that have one. */
function startWorker(open: (() => Matching) | undefined, url: string, stops: StopStep[]): () => void {
  const matching = open?.();
  const wakeUp = new WakeUp({ url, onWake: () => matching?.wake() });
  wakeUp.start();
  stops.push(() => wakeUp.stop());
  return matching ? matching.wake : () => wakeUp.notify();
}

/** Wakes matching immediately after a write, in this process or, if it has no worker, in another one. */
function wakingAfterWrites(objects: Objects, wake: () => void): Objects {
  const awake = async <T>(writing: Promise<T>): Promise<T> => {
    const answer = await writing;
    wake();
    return answer;
  };
  return {
    ...objects,
    create: (request) => awake(objects.create(request)),
    change: (request) => awake(objects.change(request)),
    delete: (request) => awake(objects.delete(request)),
  };
}

const forgetAnswersEveryMs = 10 * 60_000;

/** All requests wait for the directory, so a connection that does not respond is replaced soon. */
const directoryTimeoutMs = 1_000;

/** A health check must answer quickly. */
const healthTimeoutMs = 2_000;
