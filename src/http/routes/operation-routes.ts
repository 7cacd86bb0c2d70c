// What operators and their tools ask: is it alive, is it ready, what are the numbers.

import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import type { RecentBacklog } from '../../notifications/recent-backlog.ts';
import { renderBacklog } from '../../observability/backlog.ts';
import type { Metrics } from '../../observability/metrics.ts';

export interface OperationRouteOptions {
  database: Pick<Database, 'ping'>;
  metrics: Metrics;
  backlog: RecentBacklog;
  metricsToken: string | undefined;
  isStopping: () => boolean;
}

export function addOperationRoutes(
  app: FastifyInstance,
  { database, metrics, backlog, metricsToken, isStopping }: OperationRouteOptions,
): void {
  app.get('/health/live', async () => ({ status: 'live' }));

  app.get('/health/ready', async () => {
    if (isStopping()) throw new ApiError('stopping', 'The service is stopping.');
    await database.ping();
    return { status: 'ready' };
  });

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

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
