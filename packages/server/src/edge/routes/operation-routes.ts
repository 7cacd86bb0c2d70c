// Health checks and metrics, for operators and their tools.

import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { selectAppliedModel } from '../../database/applied-model.ts';
import type { Database } from '../../database/database.ts';
import { DatabaseFull, isTooSlow } from '../../database/database-away.ts';
import type { RecentBacklog } from '../../deliver/backlog/recent-backlog.ts';
import { ApiError } from '../../errors.ts';
import type { Metrics } from '../../observe/metrics.ts';

export interface OperationRouteOptions {
  database: Pick<Database, 'ping' | 'run'>;
  /** Digest of the model that this process runs with. */
  modelDigest: string;
  metrics: Metrics;
  backlog: RecentBacklog;
  metricsToken: string | undefined;
  isStopping: () => boolean;
}

export function addOperationRoutes(
  app: FastifyInstance,
  { database, modelDigest, metrics, backlog, metricsToken, isStopping }: OperationRouteOptions,
): void {
  app.get('/health/live', async () => ({ status: 'live' }));

  const checkReady = async () => {
    await database.ping().catch(refuseUnready);
    const [applied] = await database.run(selectAppliedModel()).catch(refuseUnready);
    if (applied?.digest !== modelDigest)
      throw new ApiError(
        'modelOutdated',
        'The tables have the model of another process. Restart this process with the same model file.',
      );
    return { status: 'ready' };
  };
  // Anybody may call this, at any rate. Concurrent calls share one database check.
  let check: ReturnType<typeof checkReady> | undefined;
  const ready = async () => {
    if (isStopping()) throw new ApiError('stopping', 'The service is stopping.');
    check ??= checkReady().finally(() => {
      check = undefined;
    });
    return await check;
  };
  app.get('/health/ready', ready);
  // For tools that check a single URL: they need to know whether to send requests here.
  app.get('/health', ready);

  app.get('/metrics', async (request, reply) => {
    if (metricsToken !== undefined && !isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new ApiError('unauthorized', 'The metrics require a token (FLAGHOIST_METRICS_TOKEN).', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    return reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .send(metrics.render(await backlog.read()));
  });
}

/** The whole service is not ready, regardless of the request. */
function refuseUnready(error: unknown): never {
  if (error instanceof DatabaseFull)
    throw new ApiError('databaseAway', 'The disk of the database is full. Objects can be read but not changed.');
  if (isTooSlow(error)) throw new ApiError('databaseAway', 'The database does not answer in time.');
  throw error;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
