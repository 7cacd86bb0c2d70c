// Health checks and metrics, for operators and their tools.

import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../config/settings-table.ts';
import { selectAppliedModel } from '../../database/applied-model.ts';
import type { Database } from '../../database/database.ts';
import { DatabaseFull, isTooSlow } from '../../database/database-away.ts';
import { RecentBacklog } from '../../deliver/backlog/recent-backlog.ts';
import { RecentFailing } from '../../deliver/statistics/recent-failing.ts';
import { ApiError } from '../../errors.ts';
import type { Metrics } from '../../observe/metrics.ts';

export interface OperationRouteParts {
  database: Database;
  /** Has its own connection, so that health checks work however busy the other connections are. */
  healthDatabase: Database;
  /** Digest of the model that this process runs with. */
  modelDigest: string;
  metrics: Metrics;
  settings: Settings;
}

export function addOperationRoutes(app: FastifyInstance, parts: OperationRouteParts, isStopping: () => boolean): void {
  app.get('/health/live', async () => ({ status: 'live' }));

  // No token is needed, and the rate is not limited. Concurrent calls share one database check.
  let check: Promise<void> | undefined;
  const checkReady = async () => {
    if (isStopping()) throw new ApiError('stopping', 'The service is stopping.');
    check ??= checkDatabase(parts).finally(() => {
      check = undefined;
    });
    await check;
    return { status: 'ready' };
  };
  app.get('/health/ready', checkReady);
  // For tools that check a single URL: they need to know whether to send requests here.
  app.get('/health', checkReady);

  const { metrics, settings } = parts;
  const backlog = new RecentBacklog(parts.database);
  const failing = new RecentFailing(parts.database, settings.metricsSubscriptions);
  app.get('/metrics', async (request, reply) => {
    checkMetricsToken(settings.metricsToken, request.headers.authorization);
    const [waiting, mostFailing] = await Promise.all([backlog.read(), failing.read()]);
    return reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .send(metrics.render(waiting, mostFailing));
  });
}

async function checkDatabase({ healthDatabase, modelDigest }: OperationRouteParts): Promise<void> {
  await healthDatabase.ping().catch(rejectUnready);
  const [applied] = await healthDatabase.run(selectAppliedModel()).catch(rejectUnready);
  if (applied?.digest !== modelDigest)
    throw new ApiError(
      'modelOutdated',
      'The tables have the model of another process. Restart this process with the same model file.',
    );
}

/** The whole service is not ready, regardless of the request. */
function rejectUnready(error: unknown): never {
  if (error instanceof DatabaseFull)
    throw new ApiError('databaseAway', 'The disk of the database is full. Objects can be read but not changed.');
  if (isTooSlow(error)) throw new ApiError('databaseAway', 'The database does not respond in time.');
  throw error;
}

function checkMetricsToken(token: string | undefined, authorization = ''): void {
  const [given, expected] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  if (token === undefined || (given.length === expected.length && timingSafeEqual(given, expected))) return;
  throw new ApiError('unauthorized', 'The metrics require a token (FLAGHOIST_METRICS_TOKEN).', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
