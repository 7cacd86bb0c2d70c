// A process that is to stop is no longer ready, and serves requests until load balancers have noticed.

import { expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();

test('FLAGHOIST_DRAIN_SECONDS: it answers requests while it is not ready, and each connection ends', async () => {
  const beside = await startBeside(service.database, {
    FLAGHOIST_DATA_DIR: service.dataDir,
    FLAGHOIST_BASE_URL: service.url(),
    FLAGHOIST_DRAIN_SECONDS: '8',
  });
  const get = (path: string) =>
    fetch(`${beside.localUrl}${path}`, { headers: { authorization: `Bearer ${service.token()}` } });
  expect((await get('/health/ready')).status).toBe(200);
  const stopped = beside.stop();
  const ready = await get('/health/ready');
  expect(ready.status).toBe(503);
  expect(ready.headers.get('flaghoist-error')).toBe('stopping');
  expect((await get('/health/live')).status).toBe(200);
  const answer = await get('/ws/rest/Port?limit=1');
  expect(answer.status, await answer.text()).toBe(200);
  expect(answer.headers.get('connection')).toBe('close');
  await stopped;
  await expect(get('/health/live')).rejects.toThrow('fetch failed');
});
