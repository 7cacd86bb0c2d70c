// The keys that sign tokens: replaced by command and by age, shared by all processes, stored encrypted. No token
// becomes invalid by a rotation.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TokenLoad } from '../../../../endurance/tokens/token-load.ts';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { privateKeyPurpose, rotateKeyOlderThan } from '../../src/auth/signing-keys/signing-keys.ts';
import { Database } from '../../src/database/database.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { parametersOf } from './ask-token.ts';
import { openForge } from './forge-token.ts';
import { holdClock } from './held-clock.ts';
import { startBeside, statusOf } from './service-beside.ts';

const place = { FLAGHOIST_BASE_URL: 'https://fleet.example' };
const service = useTestService(place);
const encryption = openEncryption(Buffer.from(administratorSettings.FLAGHOIST_ENCRYPTION_KEY!, 'base64'));
const kidOf = (token: string) => decodeProtectedHeader(token).kid!;
/** It signs three seconds after it is made. */
const signingSoon = { timeout: 10_000, interval: 50 };

describe('a rotation by command', () => {
  test('publishes the new key before it signs, and tokens of the old one stay valid', async () => {
    const before = await currentToken();
    const kid = await rotate();
    await expect.poll(() => publishedKids(service.url()), { timeout: 1_000, interval: 20 }).toContain(kid);
    // Whoever loads the keys from time to time has the new one before the first token is signed with it.
    expect(kidOf(await currentToken())).toBe(kidOf(before));
    await expect.poll(async () => kidOf(await currentToken()), signingSoon).toBe(kid);
    expect(await publishedKids(service.url())).toEqual([kidOf(before), kid]);
    expect(await statusOf(service.url(), before)).toBe(200);
    expect(await statusOf(service.url(), await currentToken())).toBe(200);
  });

  test('is on record, with who did it', async () => {
    const kid = await rotate();
    const { body } = await service.get(`/ws/rest/AuditLog?filter=objectName(EQ)${kid}`);
    expect(body).toMatchObject([{ action: 'ROTATE_KEY', objectType: 'SigningKey', clientId: 'command line' }]);
    expect(JSON.stringify(body)).not.toContain('"d"');
  });

  test('MET-04 is survived by a process that starts in the middle of it: all take the tokens of all', async () => {
    const before = await currentToken();
    const kid = await rotate();
    const started = await startBeside(service.database, place);
    const urls = [service.url(), started.localUrl];
    const tokens = [before];
    await expect
      .poll(async () => {
        for (const url of urls) tokens.push(await fetchToken(url, administrator));
        return tokens.slice(-2).map(kidOf);
      }, signingSoon)
      .toEqual([kid, kid]);
    for (const token of tokens) for (const url of urls) expect(await statusOf(url, token)).toBe(200);
  });
});

describe('a rotation by age', () => {
  test('happens once, however many processes find the key too old', async () => {
    await service.database.pool.query(
      `update flaghoist_system.signing_key set created_at = now() - interval '91 days' where verifies_until is null`,
    );
    const before = await newestKid();
    const started = await Promise.all([1, 2, 3].map(() => startBeside(service.database, place)));
    const rotated = started.flatMap(({ observations }) =>
      observations.filter(({ kind }) => kind === 'signingKey.rotated'),
    );
    expect(rotated).toHaveLength(1);
    expect(await newestKid()).not.toBe(before);
  });

  test('does not happen before its time', async () => {
    const before = await newestKid();
    expect(await rotate(3600)).toBeUndefined();
    const { observations } = await startBeside(service.database, { ...place, FLAGHOIST_SIGNING_KEY_DAYS: '1' });
    expect(observations.map(({ kind }) => kind)).not.toContain('signingKey.rotated');
    expect(await newestKid()).toBe(before);
  });
});

describe('a key whose last token has expired', () => {
  test('vanishes from the key set, and nothing signed with it is taken any more', async () => {
    const { kid, sign, header, claims } = await openForge(service.database, place.FLAGHOIST_BASE_URL);
    const token = sign(header(), claims());
    // The key may have been made a moment ago.
    await expect.poll(() => statusOf(service.url(), token), { timeout: 1_000, interval: 20 }).toBe(200);
    await rotate();
    await service.database.pool.query('update flaghoist_system.signing_key set verifies_until = now() where kid = $1', [
      kid,
    ]);
    await expect.poll(() => publishedKids(service.url()), { timeout: 1_000, interval: 20 }).not.toContain(kid);
    expect(await statusOf(service.url(), token)).toBe(401);
    await startBeside(service.database, place);
    const { rows } = await service.database.pool.query('select kid from flaghoist_system.signing_key where kid = $1', [
      kid,
    ]);
    expect(rows).toEqual([]);
  });

  test('is judged by the clock of the database, not by that of the process', async () => {
    const anHour = 3_600_000;
    const { kid, sign, header, claims } = await openForge(service.database, place.FLAGHOIST_BASE_URL);
    const nowSeconds = Math.floor(Date.now() / 1000);
    // Valid by the clocks of both processes.
    const token = sign(header(), claims({ iat: nowSeconds - 4 * 3600, exp: nowSeconds + 4 * 3600 }));
    const slow = await startBeside(service.database, place, holdClock(Date.now() - 2 * anHour));
    const fast = await startBeside(service.database, place, holdClock(Date.now() + 2 * anHour));
    await rotate();
    const endAt = (end: string) =>
      service.database.pool.query(`update flaghoist_system.signing_key set verifies_until = ${end} where kid = $1`, [
        kid,
      ]);
    const isTaken = async ({ localUrl }: { localUrl: string }) => [
      (await publishedKids(localUrl)).includes(kid),
      await statusOf(localUrl, token),
    ];
    await endAt(`now() + interval '1 hour'`);
    const soon = { timeout: 5_000, interval: 20 };
    const next = await newestKid();
    for (const process of [slow, fast]) {
      await expect.poll(() => publishedKids(process.localUrl), soon).toContain(next);
      expect(await isTaken(process)).toEqual([true, 200]);
    }
    await endAt(`now() - interval '1 hour'`);
    for (const process of [slow, fast]) await expect.poll(() => isTaken(process), soon).toEqual([false, 401]);
  });
});

describe('where keys are stored', () => {
  test('the private half is encrypted, for its own row alone', async () => {
    const { rows } = await service.database.pool.query<{ kid: string; private_jwk: string; public_jwk: object }>(
      'select kid, private_jwk, public_jwk from flaghoist_system.signing_key',
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { kid, private_jwk, public_jwk } of rows) {
      const { d } = JSON.parse(encryption.decrypt(privateKeyPurpose(kid), private_jwk)) as { d: string };
      expect(d).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify([private_jwk, public_jwk])).not.toContain(d);
      expect(public_jwk).not.toHaveProperty('d');
      const other = rows.find((row) => row.kid !== kid)!;
      expect(() => encryption.decrypt(privateKeyPurpose(other.kid), private_jwk)).toThrow();
      const stranger = openEncryption(Buffer.alloc(32));
      expect(() => stranger.decrypt(privateKeyPurpose(kid), private_jwk)).toThrow();
    }
  });

  test('another encryption key is rejected at start with a clear message, and changes nothing', async () => {
    const rowsBefore = await keyRows();
    const other = { ...place, FLAGHOIST_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
    await expect(startBeside(service.database, other)).rejects.toThrow(
      'FLAGHOIST_ENCRYPTION_KEY is not the key that this database was set up with. Set it to that one; every ' +
        'process on the same database needs the same key.',
    );
    expect(await keyRows()).toEqual(rowsBefore);
    expect(await statusOf(service.url(), service.token())).toBe(200);
  });

  test(
    'a key that is missing from the data folder is not made ' + 'up, and one that is wrong is named by its file',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'flaghoist-key-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const made = { ...place, FLAGHOIST_ENCRYPTION_KEY: undefined, FLAGHOIST_DATA_DIR: folder };
      const file = join(folder, 'encryption-key');
      await expect(startBeside(service.database, made)).rejects.toThrow(`there is no file ${file}. Put it back`);
      expect(await readdir(folder)).toEqual([]);
      await writeFile(file, Buffer.alloc(32).toString('base64url'));
      await expect(startBeside(service.database, made)).rejects.toThrow(
        `The encryption key in ${file} is not the one that this database was set up with.`,
      );
    },
  );
});

describe('on an empty installation', () => {
  const empty = useTestDatabase();

  test('processes that start together make one key and one client', async () => {
    const started = await Promise.all([1, 2, 3].map(() => startBeside(empty, place)));
    expect(started.filter(({ bootstrapClient }) => bootstrapClient)).toHaveLength(1);
    const tokens = await Promise.all(started.map(({ localUrl }) => fetchToken(localUrl, administrator)));
    expect(new Set(tokens.map(kidOf)).size).toBe(1);
    for (const { localUrl } of started) for (const token of tokens) expect(await statusOf(localUrl, token)).toBe(200);
  });
});

test('a rotation under load costs no request: two processes, tokens renewed all the time', async () => {
  const other = await startBeside(service.database, place);
  const load = new TokenLoad({
    origins: [service.url(), other.localUrl],
    connections: 8,
    renewEveryMs: 400,
    tokenRequest: JSON.stringify(parametersOf()),
    path: '/ws/rest/Currency?limit=1',
  });
  load.start();
  try {
    const kid = await rotate();
    await expect.poll(() => [...load.tokensByKey.keys()], { timeout: 15_000, interval: 100 }).toContain(kid);
    const seenAt = load.requests;
    await expect.poll(() => load.requests - seenAt, { timeout: 15_000, interval: 100 }).toBeGreaterThan(500);
  } finally {
    await load.stop();
  }
  expect(load.findings).toEqual([]);
  expect(load.tokensByKey.size).toBeGreaterThan(1);
});

function currentToken(): Promise<string> {
  return fetchToken(service.url(), administrator);
}

async function publishedKids(url: string): Promise<string[]> {
  const response = await fetch(`${url}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

/** Whatever the age of the key is, unless one is given. */
async function rotate(ageMaxSeconds = Number.NEGATIVE_INFINITY): Promise<string | undefined> {
  const observe = () => undefined;
  const database = new Database({ url: service.database.url, observe, connectionsMax: 1, statementTimeoutMs: 5_000 });
  try {
    const rotation = { database, encryption };
    return await rotateKeyOlderThan(rotation, ageMaxSeconds, { userKey: undefined, client: 'command line' });
  } finally {
    await database.close();
  }
}

async function newestKid(): Promise<string> {
  const { rows } = await service.database.pool.query<{ kid: string }>(
    'select kid from flaghoist_system.signing_key where verifies_until is null',
  );
  expect(rows).toHaveLength(1);
  return rows[0]!.kid;
}

async function keyRows(): Promise<unknown[]> {
  return (await service.database.pool.query('select * from flaghoist_system.signing_key order by kid')).rows;
}
