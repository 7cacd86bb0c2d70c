// What operators and their tools ask: is it alive, is it ready, what are the numbers.

import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { selectAppliedModel } from '../../database/applied-model.ts';
import type { Database } from '../../database/database.ts';
import { DatabaseFull, isTooSlow } from '../../database/database-away.ts';
import { ApiError } from '../../errors.ts';
import type { RecentBacklog } from '../../notifications/recent-backlog.ts';
import { renderBacklog } from '../../observability/backlog.ts';
import type { Metrics } from '../../observability/metrics.ts';

export interface OperationRouteOptions {
  database: Pick<Database, 'ping' | 'run'>;
  /** Of the model that this process runs with. */
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
        'The tables were made from another model than that of this process. Restart it with the model file of the others.',
      );
    return { status: 'ready' };
  };
  // Anybody may ask, at any rate: those who ask at the same time share one look at the database.
  let check: ReturnType<typeof checkReady> | undefined;
  const ready = async () => {
    if (isStopping()) throw new ApiError('stopping', 'The service is stopping.');
    check ??= checkReady().finally(() => {
      check = undefined;
    });
    return await check;
  };
  app.get('/health/ready', ready);
  // For tools that ask one address alone: they want to know whether to send requests here.
  app.get('/health', ready);

  app.get('/metrics', async (request, reply) => {
    if (metricsToken !== undefined && !isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new ApiError('unauthorized', 'The metrics need their token.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    const waiting = await backlog.read();
    return reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .send(metrics.render() + (waiting ? renderBacklog(waiting) : ''));
  });
}

/** The service as a whole is not ready, whatever the request would have been. */
function refuseUnready(error: unknown): never {
  if (error instanceof DatabaseFull)
    throw new ApiError('databaseAway', 'The disk of the database is full. Objects can be read and not changed.');
  if (isTooSlow(error)) throw new ApiError('databaseAway', 'The database does not answer in time.');
  throw error;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
