// Makes links to the console as the command line does, for a test service.

import { afterAll, beforeAll } from 'vitest';
import { makeLink } from '../../src/auth/console-session/console-link.ts';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { Database } from '../../src/database/database.ts';
import { administratorSettings } from '../support/access.ts';
import type { TestService } from '../support/test-service.ts';

/** To be called after `useTestService`. Returns the code of a new link. */
export function useLinks(service: TestService): (userKey: number) => Promise<string> {
  const { settings } = loadSettings(administratorSettings);
  const encryption = openEncryption(settings.encryptionKey!);
  const codes: string[] = [];
  let database: Database;
  beforeAll(() => {
    const { url } = service.database;
    database = new Database({ url, observe: () => undefined, connectionsMax: 1, statementTimeoutMs: 10_000 });
  });
  afterAll(async () => {
    await database?.close();
    for (const code of codes) service.secrets.plant('the code of a link', code.slice(-43));
  });
  return async (userKey) => {
    const parts = { settings, database, encryption, baseUrl: service.url() };
    const { url } = await makeLink(parts, userKey, { userKey: undefined, client: 'command line' });
    const code = url.slice(url.indexOf('#code=') + 6);
    codes.push(code);
    return code;
  };
}
