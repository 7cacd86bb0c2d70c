// The composition root: creates the parts in the order of the data flow, and stops them in reverse. The only place that
// knows all of them.

import { randomUUID } from 'node:crypto';
import { openScriptSandbox } from '@flaghoist/script-sandbox';
import { openStylesheets } from '@flaghoist/stylesheets';
import { type BootstrapClient, makeFirstClient } from './auth/clients/bootstrap-client.ts';
import { accessRules } from './auth/clients/client-rules.ts';
import { type ConsoleLink, makeFirstLink } from './auth/console-session/console-link.ts';
import { wrapWrites } from './auth/directory/access-writes.ts';
import { type Auth, openAuth } from './auth/open-auth.ts';
import { type Channels, openChannels } from './channels/registry/open-channels.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Settings } from './config/settings-table.ts';
import { tracingOptionsOf } from './config/tracing-options-of.ts';
import { digestOfModel } from './database/applied-model.ts';
import type { Database } from './database/database.ts';
import { createHousekeepingLoop } from './database/housekeeping-loop.ts';
import { deleteOldTraces } from './database/traced-transaction-table.ts';
import { RecentBacklog } from './deliver/backlog/recent-backlog.ts';
import { notificationQueue } from './deliver/notification-queue.ts';
import { openDelivery } from './deliver/open-delivery.ts';
import { resendJobRules } from './deliver/resend/resend-job-rules.ts';
import { openStreams, type Streams } from './deliver/stream/open-streams.ts';
import { DemoFleet } from './demo/demo-fleet.ts';
import { readServiceVersion } from './describe/openapi/service-version.ts';
import { type Listener, localUrl, openListener } from './edge/listener.ts';
import { HttpServer } from './edge/server.ts';
import { TraceParents } from './events/trace-parents.ts';
import { createHandlers } from './handlers.ts';
import { LiveHub } from './live/live-hub.ts';
import { type Matching, openMatching } from './match/open-matching.ts';
import { loadModel } from './model/model-file/read-model-file.ts';
import { deleteOldAnswers } from './objects/idempotency-table.ts';
import { type Objects, openObjects } from './objects/objects.ts';
import { createMetrics, type Metrics } from './observe/metrics.ts';
import type { Observe } from './observe/observation.ts';
import { openTracing } from './observe/traces/open-tracing.ts';
import { type Core, openStorage, type Storage } from './open-storage.ts';
import { restPath } from './paths.ts';
import { loadReferenceData } from './reference-data/load-reference-data.ts';
import { alertScriptRules } from './scripts/alert-script-rules.ts';
import { SandboxTurns } from './scripts/sandbox-turns.ts';
import { openShaping } from './shape/open-shaping.ts';
import { type StopStep, stopAll } from './stop-steps.ts';
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
  /** Signs the first administrator in to the console, if this process has just created it. */
  consoleLink: ConsoleLink | undefined;
  stop(): Promise<void>;
}

export async function startService(settings: Settings, log: Observe, clock: Clock = systemClock): Promise<Service> {
  const startedAt = performance.now();
  const metrics = createMetrics();
  const observe: Observe = (observation) => {
    log(observation);
    metrics.observe(observation);
  };
  const stops: StopStep[] = [];
  const stop = () => stopAll(stops, settings.stopTimeoutMs);
  try {
    const own = { 'service.version': readServiceVersion(), 'service.instance.id': randomUUID() };
    const tracing = await openTracing(tracingOptionsOf(settings, own), observe);
    // The last step, so that all spans have ended.
    if (tracing) stops.push((msLeft) => tracing.stop(Math.min(flushMs, msLeft())));
    const model = await loadModel(settings.modelFile);
    const listener = await openListener(settings.host, settings.port, { baseUrl: settings.baseUrl });
    stops.push(() => listener.close(0));
    const local = localUrl(settings.host, listener.port);
    const baseUrl = settings.baseUrl ?? local;
    const links = { restUrl: `${baseUrl}${restPath}` };
    const models = { model, modelDigest: digestOfModel(model), wireModel: wireModel(model, settings.wireNames) };
    const core: Core = { settings, clock, observe, tracing, stops, ...models, baseUrl, links };

    const storage = await openStorage(core);
    const types = await openTypes(core, storage);
    const auth = await startAuth(core, storage);
    const channels = openChannels({ settings, version: readServiceVersion(), clock }, observe);
    stops.push((msLeft) => channels.close(msLeft()));
    const streams = startStreams(core, storage);
    const wake = startWorker(core, storage, channels, streams);
    // Its connection is opened when somebody looks.
    const liveDatabase = storage.open(1, {});
    const backlog = new RecentBacklog(liveDatabase);
    const live = startLive(core, liveDatabase, backlog);
    const objects = wakingAfterWrites(auth.writes.through(types.objects), wake);
    const demo = new DemoFleet({ ...core, ...storage, objects, localUrl: local });
    const parts = { storage, types, auth, channels, streams, backlog, live, objects, demo, listener, metrics };
    const server = createServer(core, parts);
    await server.prepare();
    stops.push((msLeft) => server.stop(msLeft()));
    // The first steps: the server waits for all responses, and a stream would never end.
    stops.push(() => streams.hub.stop());
    stops.push(() => live.stop());
    stops.push(() => demo.close());

    // A process without the role `api` takes no calls and needs no client. The first process with that role creates
    // the client and shows its secret.
    const bootstrapClient = settings.roles.has('api') ? await makeFirstClient({ ...core, ...storage }) : undefined;
    const consoleLink = bootstrapClient && (await makeFirstLink({ ...core, ...storage }));
    // The first client must exist before the process reports that it is ready.
    server.open();
    observe({ kind: 'service.started', url: baseUrl, startupMs: Math.round(performance.now() - startedAt) });
    const database = settings.databaseUrl ? 'server' : 'embedded';
    const ready = { baseUrl, localUrl: local, database, databaseVersion: storage.version } as const;
    const drainMs = settings.roles.has('api') ? settings.drainMs : 0;
    return { ...ready, bootstrapClient, consoleLink, stop: () => server.drain(drainMs).then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** For the last spans: a collector that hangs must not delay the end. */
const flushMs = 3_000;

type Types = Awaited<ReturnType<typeof openTypes>>;

/** The objects with the rules of their types, and the reference data. */
async function openTypes(core: Core, { database, encryption }: Storage) {
  const { settings, clock, observe, stops, model, links } = core;
  // For checking and trying out scripts and stylesheets. Notifications use engines of their own.
  const engines = { scripts: openScriptSandbox({ threads: 1 }), stylesheets: openStylesheets({ threads: 1 }) };
  stops.push(async () => {
    await Promise.all([engines.scripts.close(), engines.stylesheets.close()]);
  });
  const turns = new SandboxTurns();
  const { scriptBytesMax, arrayObjectsMax } = settings;
  const { scripts: sandbox, stylesheets } = engines;
  const queue = notificationQueue;
  const rules = new Map([
    ...accessRules(settings, encryption, clock),
    ['AlertScript', alertScriptRules({ model, database, turns, sandbox, scriptBytesMax })],
    ['WebhookSubscription', subscriptionRulesOf(settings, { model, encryption, clock, stylesheets, turns, queue })],
    ['ResendJob', resendJobRules(clock)],
  ]);
  const objects = openObjects(database, model, { ...links, arrayObjectsMax, rules });
  if (settings.referenceData === 'load') await loadReferenceData({ objects, model, observe });
  // Also while tracing is off: it may have been on before.
  for (const deleteSome of [deleteOldAnswers, deleteOldTraces]) {
    const housekeeping = createHousekeepingLoop({ database, observe, deleteSome, everyMs: deleteEveryMs });
    housekeeping.start();
    stops.push(() => housekeeping.stop());
  }
  return { objects, engines, turns };
}

const deleteEveryMs = 10 * 60_000;

async function startAuth(core: Core, { open, database, encryption }: Storage): Promise<Auth> {
  const directoryDatabase = open(1, { statementTimeoutMs: directoryTimeoutMs });
  const auth = await openAuth({ ...core, database, encryption, directoryDatabase });
  core.stops.push(() => auth.stop());
  return auth;
}

/** All requests wait for the directory, so a connection that does not respond is replaced soon. */
const directoryTimeoutMs = 1_000;

function startStreams({ observe, links, stops }: Core, { hosts, open, encryption }: Storage): Streams {
  const streams = openStreams({ hosts, observe, links, encryption, database: open(2, { isForQueues: true }) });
  stops.push(() => streams.stop());
  return streams;
}

function startLive(core: Core, database: Database, backlog: RecentBacklog): LiveHub {
  const live = new LiveHub({ ...core, database, backlog });
  live.start();
  return live;
}

/** Returns a function that wakes the worker: in this process, or in the processes that have one. */
function startWorker(core: Core, storage: Storage, channels: Channels, streams: Streams): () => void {
  if (!core.settings.roles.has('worker')) return streams.wakeWorkers;
  const matching = openWorker(core, storage, channels, streams);
  streams.onEvents = matching.wake;
  return matching.wake;
}

/** Lines 2 and 3. New notifications of line 2 go to line 3 by direct dispatch. */
function openWorker(core: Core, { hosts, open, encryption }: Storage, channels: Channels, streams: Streams): Matching {
  const { stops } = core;
  const traceParents = core.tracing && new TraceParents();
  // The new primary may lack the last events of the former one, and assign their numbers again.
  if (traceParents) hosts.onChanged(() => traceParents.forget());
  const openQueue = (connections: number) => open(connections, { isForQueues: true });
  const delivery = openDelivery({
    ...core,
    traceParents,
    encryption,
    channels,
    version: readServiceVersion(),
    database: openQueue(4),
    notificationType: core.wireModel.types.get('WebhookNotification')!,
    wakeStreams: streams.wake,
  });
  stops.push((msLeft) => delivery.stop(msLeft()));
  const { directDispatch, wake } = delivery;
  const database = openQueue(2);
  const shaping = openShaping({ ...core, traceParents, database: openQueue(2), directDispatch, onShaped: wake });
  stops.push(() => shaping.stop());
  const waking = { onMatched: wake, onUnshaped: shaping.wake };
  const matching = openMatching({ ...core, traceParents, database, directDispatch, ...waking });
  stops.push(() => matching.stop());
  return matching;
}

interface ServerParts {
  storage: Storage;
  types: Types;
  auth: Auth;
  channels: Channels;
  streams: Streams;
  backlog: RecentBacklog;
  live: LiveHub;
  objects: Objects;
  demo: DemoFleet;
  listener: Listener;
  metrics: Metrics;
}

function createServer(
  core: Core,
  { storage, types, auth, channels, streams, backlog, live, objects, demo, listener, metrics }: ServerParts,
): HttpServer {
  const { open, database, version: databaseVersion, encryption, responses } = storage;
  const { hub, queueDatabase, wake: wakeStreams, wakeWaiting } = streams;
  return new HttpServer({
    ...core,
    listener,
    model: core.wireModel,
    authenticator: auth.authenticator,
    tokenEndpoint: auth.tokenEndpoint,
    consoleParts: auth.consoleParts,
    ...createHandlers({
      ...core,
      ...types,
      ...{ database, encryption, hub, queueDatabase, wakeStreams, wakeWaiting },
      issuerUrl: core.settings.issuerUrl,
      writes: auth.writes,
      channels: channels.byType,
      ...{ databaseVersion, backlog, live, demo },
    }),
    database,
    healthDatabase: open(1, { statementTimeoutMs: healthTimeoutMs }),
    objects,
    responses,
    metrics,
  });
}

/** A health check must answer quickly. */
const healthTimeoutMs = 2_000;

/** Wakes matching immediately after a write, in this process or, if it has no worker, in another one. */
function wakingAfterWrites(objects: Objects, wake: () => void): Objects {
  return wrapWrites(objects, async (_, writing) => {
    const written = await writing;
    wake();
    return written;
  });
}
