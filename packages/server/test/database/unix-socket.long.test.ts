// The service and its commands reach a PostgreSQL server over a Unix socket, in both forms that a URL can have.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedServer } from '@flaghoist/embedded-postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { startEmbedded } from '../../src/database/embedded-server.ts';
import { startService } from '../../src/service.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { runFlaghoist } from '../support/run-compiled.ts';

/** How a URL names the folder of the socket, with the password and the port. */
const forms: Record<string, (folder: string, password: string, port: string) => string> = {
  'as a parameter': (folder, password, port) =>
    `postgres://flaghoist:${password}@/flaghoist?host=${folder}&port=${port}`,
  'as a parameter that is percent-encoded': (folder, password, port) =>
    `postgresql://flaghoist:${password}@/flaghoist?port=${port}&host=${encodeURIComponent(folder)}`,
  'as a host that is percent-encoded': (folder, password, port) =>
    `postgres://flaghoist:${password}@${encodeURIComponent(folder)}:${port}/flaghoist`,
};

describe.skipIf(process.platform === 'win32').each(Object.keys(forms))('a socket that is named %s', (form) => {
  let folder: string;
  let server: EmbeddedServer;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flaghoist-socket-'));
    // The server may run as another user, and makes its socket there.
    await chmod(folder, 0o777);
    const settings = { unix_socket_directories: folder, listen_addresses: '127.0.0.1', fsync: 'off' };
    server = await startEmbedded({ dataDir: join(folder, 'data'), observe: () => undefined, settings });
    const { password, port } = new URL(server.url);
    url = forms[form]!(folder, password, port);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('serves the service and commands', async () => {
    const environment = { DATABASE_URL: url, FLAGHOIST_REFERENCE_DATA: 'skip', ...administratorSettings };
    const { settings } = loadSettings({ ...environment, FLAGHOIST_PORT: '0', FLAGHOIST_DATA_DIR: folder });
    const service = await startService(settings, () => undefined);
    try {
      const token = await fetchToken(service.localUrl, administrator);
      const answer = await fetch(`${service.localUrl}/ws/rest/Vessel`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"vesselName":"Short Way"}',
      });
      expect(answer.status).toBe(201);
      const { code, stdout } = await runFlaghoist(['client', 'list'], environment);
      expect([code, stdout]).toEqual([0, expect.stringContaining(administrator.clientId)]);
    } finally {
      await service.stop();
    }
  });
});
