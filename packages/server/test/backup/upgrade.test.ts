// An upgrade keeps everything, and a rollback is the restore of a backup from before it. The installation of version
// 0.1.0 is a stored backup. Until the first release, migrations are changed in place, and then the backup is made anew:
// so it was made by these migrations, not by earlier ones. After the release it stays as it is. To make it anew:
// MAKE_INSTALLATION=true npx vitest run packages/server/test/backup/upgrade.test.ts

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { startService } from '../../src/service.ts';
import { startHooks } from '../deliver/hooks.ts';
import { queue } from '../deliver/queued.ts';
import { administrator, fetchToken } from '../support/access.ts';
import { create, createFleet, createVoyage } from '../support/fleet.ts';
import { makeNewerVersion } from '../support/newer-version.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { contentsOf, refusal, settingsOf, succeed, useFolder } from './installations.ts';

const folder = useFolder();
const modelFile = join(folder, 'model.json');
const own = { FLAGHOIST_MODEL_FILE: modelFile };
const installation = fileURLToPath(new URL('installation-0.1.0.gz', import.meta.url));

const newMigration = '9999-later.sql';
const newMigrationSql = `alter table flaghoist_system.event add column later_note text not null default 'later';
  create table flaghoist_system.later (id bigint primary key);`;

describe.runIf(process.env.MAKE_INSTALLATION)('the installation of this version', () => {
  const berth = {
    attributes: {
      berthName: { kind: 'text', isCode: true, maxLength: 40 },
      terminal: { kind: 'reference', to: 'Port' },
    },
  };
  writeFileSync(modelFile, JSON.stringify({ types: { Berth: berth } }));
  const service = useTestService({ ...own, FLAGHOIST_ROLES: 'api' });

  test('is made', async () => {
    const fleet = await createFleet(service);
    await createVoyage(service, fleet);
    await create(service, 'Berth', { berthName: 'B1', terminal: fleet.port.key });
    const url = 'http://127.0.0.1:9/';
    const { key, signingSecret } = await create(service, 'WebhookSubscription', { eventType: 'Vessel.U', url });
    service.secrets.plant('a signing secret', signingSecret);
    const { pool } = service.database;
    await service.put(`/ws/rest/Vessel/${fleet.vessel.key}`, { vesselName: 'Not matched yet' });
    // Claimed by a worker that has died.
    await pool.query(
      `insert into flaghoist_system.delivery_worker (id, alive_until) overriding system value
       values (4711, now() + interval '1 day')`,
    );
    await queue(pool, key, 1, 4711);
    await succeed(['backup', installation], settingsOf(service.database.url, own));
  });
});

describe('an installation of version 0.1.0', () => {
  const target = useTestDatabase({ isMigrated: false });
  const header = () => JSON.parse(gunzipSync(readFileSync(installation)).toString().split('\n', 1)[0]!);

  test('is restored by this version, goes on, and sends what is pending once', async () => {
    expect(header().version).toBe('0.1.0');
    writeFileSync(modelFile, header().model.file);
    await succeed(['restore', installation], settingsOf(target.url, own));
    const hooks = await startHooks();
    const { rows } = await target.pool.query('select key::int from flaghoist_service.webhook_subscription');
    await target.pool.query('update flaghoist_service.webhook_subscription set url = $1', [hooks.url]);
    const { settings } = loadSettings({
      ...settingsOf(target.url, own),
      FLAGHOIST_PORT: '0',
      FLAGHOIST_DATA_DIR: folder,
      FLAGHOIST_REFERENCE_DATA: 'skip',
      FLAGHOIST_DNS_SERVERS: inject('dnsServer'),
      FLAGHOIST_STOP_TIMEOUT_SECONDS: '2',
      // The pending notification is as old as the stored backup.
      FLAGHOIST_BODY_RETENTION_DAYS: '3650',
      FLAGHOIST_NOTIFICATION_RETENTION_DAYS: '3650',
    });
    const service = await startService(settings, () => undefined);
    onTestFinished(() => service.stop());
    const names = () => hooks.received.map(({ body }) => JSON.parse(body).resource.vesselName).sort();
    await expect.poll(names, { timeout: 20_000 }).toEqual(['Not matched yet', 'Queued']);
    const authorization = `Bearer ${await fetchToken(service.localUrl, administrator)}`;
    const berths = await fetch(`${service.localUrl}/ws/rest/Berth?fields=%22*%22`, { headers: { authorization } });
    expect(await berths.json()).toMatchObject([{ berthName: 'B1', terminal: { portName: 'Port of Loading' } }]);
    expect(rows).toHaveLength(1);
    expect(names()).toHaveLength(2);
  });

  test('without its model file, the error says what is missing and where to find it', async () => {
    await target.pool.query(
      'drop schema if exists flaghoist, flaghoist_service, flaghoist_partition, flaghoist_system cascade',
    );
    const said = await refusal(['restore', installation], settingsOf(target.url));
    expect(said).toMatch(/The model does not fit the backup:\n.*"berth" for a type that the model no longer has/);
    expect(said).toContain('jq -r .model.file');
  });
});

describe('a newer version', () => {
  const service = useTestService({ FLAGHOIST_ROLES: 'api' });
  const [newer, older] = [useTestDatabase({ isMigrated: false }), useTestDatabase({ isMigrated: false })];
  const before = join(folder, 'before.gz');
  const after = join(folder, 'after.gz');

  beforeAll(async () => {
    await create(service, 'Vessel', { vesselName: 'Before' });
    await succeed(['backup', before], settingsOf(service.database.url));
  });

  test('migrates what it restores; this version refuses its database and its backup, and restores its own', {
    timeout: 180_000,
  }, async () => {
    const program = makeNewerVersion(newMigration, newMigrationSql);
    const { migrations } = await succeed(['restore', before], settingsOf(newer.url), program);
    expect(migrations).toEqual([newMigration]);
    const { rows } = await newer.pool.query('select distinct later_note from flaghoist_system.event');
    expect(rows).toEqual([{ later_note: 'later' }]);
    await succeed(['backup', after], settingsOf(newer.url), program);

    const refused =
      /migrated by a newer version of Flaghoist \(9999-later\.sql\)\. Run that version, or restore a backup/;
    for (const command of [
      ['serve', '--json'],
      ['migrate', '--json'],
      ['backup', join(folder, 'never.gz')],
    ]) {
      const said = await refusal(command, {
        ...settingsOf(newer.url),
        FLAGHOIST_DATA_DIR: folder,
        FLAGHOIST_PORT: '0',
      });
      expect(said).toMatch(refused);
    }
    expect(await refusal(['restore', after], settingsOf(older.url))).toContain('made by a newer version of Flaghoist');
    await succeed(['restore', before], settingsOf(older.url));
    const [there, here] = [await contentsOf(service.database.pool), await contentsOf(older.pool)];
    expect(here.get('flaghoist.vessel')).toBe(there.get('flaghoist.vessel'));
  });
});
