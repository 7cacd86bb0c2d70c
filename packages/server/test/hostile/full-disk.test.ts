// The disk of the database is full: changes are answered with 507, objects can be read, and the outage is
// logged once. When there is space again, the service recovers by itself.

import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountSmallDisk } from '../../../../endurance/hardships/small-disk.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { findEmbedded } from '../../src/database/embedded-server.ts';
import { createLog } from '../../src/observe/log.ts';
import { type Service, startService } from '../../src/service.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';

const disk = mountSmallDisk(200);
afterAll(() => disk?.remove());

interface Line {
  level: string;
  msg: string;
}

describe.skipIf(disk === undefined)('a full disk (needs root, to mount a small file system)', () => {
  const dataDir = join(disk?.folder ?? '', 'data');
  const { settings } = loadSettings({
    FLAGHOIST_PORT: '0',
    FLAGHOIST_DATA_DIR: dataDir,
    FLAGHOIST_REFERENCE_DATA: 'skip',
    ...administratorSettings,
  });
  const lines: Line[] = [];
  const log = createLog({ level: 'info', format: 'json' }, { write: (line) => lines.push(JSON.parse(line)) });
  const told = (msg: string) => lines.filter((line) => line.msg === msg);
  let service: Service;
  let token: string;

  beforeAll(async () => {
    service = await startService(settings, log);
    token = await fetchToken(service.localUrl, administrator);
  });
  afterAll(() => service?.stop());

  async function ask(method: string, path: string) {
    const response = await fetch(`${service.localUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify({ vesselName: 'Heavy Load' }) } : {}),
    });
    const body = (await response.json()) as { key: number; message: string };
    return { status: response.status, retryAfter: Number(response.headers.get('retry-after')), body };
  }

  const post = () => ask('POST', '/ws/rest/Vessel');
  const keys: number[] = [];

  /** Pages that have room take some more. */
  async function postUntilFull(): Promise<void> {
    for (let n = 0; n < 2_000; n += 1) {
      const { status, body } = await post();
      if (status !== 201) return;
      keys.push(body.key);
    }
  }

  test('makes a change a 507 with Retry-After, is told once, and is over when there is space', async () => {
    keys.push((await post()).body.key);
    disk!.fill();
    await postUntilFull();
    for (let n = 0; n < 20; n += 1) {
      const { status, retryAfter, body } = await post();
      if (status === 201) keys.push(body.key);
      else {
        expect([status, body.message]).toEqual([507, expect.stringContaining('disk of the database is full')]);
        expect(retryAfter).toBeGreaterThan(0);
      }
    }
    expect((await ask('GET', `/ws/rest/Vessel/${keys[0]}`)).status).toBe(200);
    expect(await ask('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('disk of the database is full') },
    });
    expect(told('database.unavailable')).toEqual([
      expect.objectContaining({ level: 'warn', problem: 'diskFull', reason: expect.stringMatching(/No space left/) }),
    ]);
    expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual(told('database.unavailable'));

    disk!.empty();
    await expect.poll(async () => (await ask('GET', '/health/ready')).status, { timeout: 20_000 }).toBe(200);
    const { status, body } = await post();
    expect(status).toBe(201);
    keys.push(body.key);
    expect(told('database.available')).toEqual([
      expect.objectContaining({ level: 'info', problem: 'diskFull', failures: expect.any(Number) }),
    ]);
    await expectNothingLost();
  });

  /** Every object that was acknowledged is there, and every event is matched. */
  async function expectNothingLost(): Promise<void> {
    const client = new pg.Client({ connectionString: await findEmbedded(dataDir) });
    await client.connect();
    const count = async (sql: string) => Number((await client.query(sql, [])).rows[0].count);
    try {
      expect(await count('select count(*) from flaghoist.vessel')).toBe(keys.length);
      const unmatched = () => count('select count(*) from flaghoist_system.unmatched_event');
      await expect.poll(unmatched, { timeout: 20_000 }).toBe(0);
    } finally {
      await client.end();
    }
  }

  test(
    'does not keep the service from stopping, a start says ' + 'what is wrong, and the next one finds everything',
    async () => {
      disk!.fill();
      await postUntilFull();
      await service.stop();
      disk!.fill();
      await expect(startService(settings, log)).rejects.toThrow(/No space left on device[\s\S]*free some space/);
      disk!.empty();
      service = await startService(settings, log);
      await expectNothingLost();
    },
  );
});
