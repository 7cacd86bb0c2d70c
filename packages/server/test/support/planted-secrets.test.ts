// The search for secrets can fail: a secret that gets out, by whatever way and in whatever spelling, is found.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { privateKeyPurpose } from '../../src/auth/signing-keys/signing-keys.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { administratorSettings, createClient } from './access.ts';
import { expectNoneFound, PlantedSecrets, plantSettings, plantSigningKeys, watchAnswers } from './planted-secrets.ts';
import { converse } from './raw-http.ts';
import { useTestDatabase } from './test-database.ts';
import { useTestService } from './test-service.ts';

const secret = 'correct-horse-battery-staple?>~';

function planted(): PlantedSecrets {
  const secrets = new PlantedSecrets();
  secrets.plant('the secret', secret);
  return secrets;
}

const bytes = Buffer.from(secret);
const spellings: [string, string][] = [
  ['as it is', secret],
  ['in hexadecimal', bytes.toString('hex')],
  ['in hexadecimal with capital letters', bytes.toString('hex').toUpperCase()],
  ['in Base64', bytes.toString('base64')],
  ['in Base64 for URLs', bytes.toString('base64url')],
  ['in Base64 behind one byte', Buffer.from(`a${secret}b`).toString('base64')],
  ['in Base64 behind two bytes, as in Basic credentials', Buffer.from(`id:${secret}`.slice(1)).toString('base64')],
  ['in Base64 for URLs behind two bytes', Buffer.from(`ab${secret}`).toString('base64url')],
];

describe('a log line', () => {
  test.each(spellings)('that holds a secret is found: %s', (_, spelling) => {
    for (const observation of [
      { kind: 'database.message', text: `LOG:  login with ${spelling}.` },
      { kind: 'request.failed', requestId: 'x', error: new Error(`no such client ${spelling}`) },
    ] satisfies Observation[]) {
      const secrets = planted();
      secrets.searchLog([observation]);
      expect(secrets.found).toContainEqual(expect.stringContaining('the secret in the log'));
    }
  });

  test('is counted in both of its formats', () => {
    const secrets = planted();
    secrets.searchLog([{ kind: 'service.stopped' }, { kind: 'service.stopped' }]);
    expect([secrets.found, secrets.searched.logLines]).toEqual([[], 4]);
  });
});

describe('an answer', () => {
  let server: Server;
  let url: string;
  let body: (string | Buffer)[] = [];
  let header = '';
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.setHeader('x-header', header);
      for (const piece of body) response.write(piece);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  /** What is found in an answer of these pieces, by a search that is told the port of the server, or another. */
  async function search(pieces: (string | Buffer)[], port = Number(new URL(url).port)): Promise<PlantedSecrets> {
    const secrets = planted();
    const stop = watchAnswers(secrets, () => port);
    body = pieces;
    await (await fetch(url, { headers: { connection: 'close' } })).text();
    stop();
    return secrets;
  }

  test.each(spellings)('that holds a secret is found: %s', async (_, spelling) => {
    expect((await search([`{"a":"${spelling}"}`])).found).toContainEqual(expect.stringContaining('in an answer'));
    expect((await search([Buffer.from(`{"ø":"${spelling}"}`)])).found).toHaveLength(1);
  });

  test('with a secret in a header is found', async () => {
    header = secret;
    expect((await search(['{}'])).found).toHaveLength(1);
    header = '';
  });

  test('of a port that is not watched is not searched', async () => {
    const { found, searched } = await search([secret], 1);
    expect([found, searched.answerBytes]).toEqual([[], 0]);
  });

  test('without a secret is counted, and nothing is found', async () => {
    const { found, searched } = await search(['x'.repeat(100_000), secret.slice(1)]);
    expect(found).toEqual([]);
    expect(searched.answerBytes).toBeGreaterThan(100_000);
  });

  test.each([1, 2, 7, 30])('in pieces of %i bytes is found all the same', (size) => {
    const secrets = planted();
    const take = secrets.searchAnswers();
    const text = `before ${secret} after`;
    for (let at = 0; at < text.length; at += size) take(Buffer.from(text.slice(at, at + size)));
    expect(secrets.found).toHaveLength(1);
  });

  test('that showed a secret before it was planted is no mistake; the next that shows it is', () => {
    const secrets = planted();
    const take = secrets.searchAnswers();
    take(Buffer.from('{"clientSecret":"fhs_once"}'));
    secrets.plant('another secret', 'fhs_once');
    take(Buffer.from('{}'));
    expect(secrets.found).toEqual([]);
    take(Buffer.from('{"clientSecret":"fhs_once"}'));
    expect(secrets.found).toHaveLength(1);
  });
});

describe('a table', () => {
  const { pool } = useTestDatabase();
  beforeAll(async () => {
    await pool.query('create table flaghoist_system.leak (content text, bytes bytea)');
    await pool.query("insert into flaghoist.vessel (vessel_name) select 'x' from generate_series(1, 500)");
  });

  /** What is found in all tables while this is stored. */
  async function search(content: string, inBytes = ''): Promise<PlantedSecrets> {
    const secrets = planted();
    await pool.query('insert into flaghoist_system.leak values ($1, $2)', [content, Buffer.from(inBytes)]);
    await secrets.searchTables(pool);
    await pool.query('delete from flaghoist_system.leak');
    return secrets;
  }

  test.each(spellings)('that holds a secret is found: %s', async (_, spelling) => {
    const { found } = await search(`{"a":"${spelling}"}`);
    expect(found).toEqual([expect.stringContaining('the secret in the table flaghoist_system.leak')]);
  });

  test('that holds a secret among bytes is found', async () => {
    expect((await search('', `\n${secret}`)).found).toHaveLength(1);
  });

  test('without a secret is counted row by row, as all others are, and nothing is found', async () => {
    const { found, searched } = await search(secret.slice(1));
    expect(found).toEqual([]);
    // The vessels, their events, and the one row.
    expect(searched.tableRows).toBeGreaterThan(1_000);
  });
});

describe('a service', () => {
  const service = useTestService();

  test('that logs or stores the secret or the token of a client that nobody planted is found', async () => {
    const { clientSecret, token } = await createClient(service, ['read']);
    const { pool } = service.database;
    for (const [name, value] of [
      ['the secret of a client', clientSecret],
      ['a token', token],
    ] as const) {
      const secrets = planted();
      secrets.searchLog([{ kind: 'database.message', text: `LOG: ${value}` }]);
      await pool.query(`create table flaghoist.leak as select '${value}' as content`);
      await secrets.searchTables(pool);
      await pool.query('drop table flaghoist.leak');
      const places = new Set(secrets.found.map((found) => found.split(',')[0]));
      expect([...places]).toEqual([`${name} in the log`, `${name} in the table flaghoist.leak`]);
    }
  });

  test('is searched in all that it answers, also to those who write their requests by hand', async () => {
    const { searched } = service.secrets;
    let before = searched.answerBytes;
    const { text } = await service.get('/ws/rest/ApiClient');
    expect(searched.answerBytes - before).toBeGreaterThan(text.length);
    before = searched.answerBytes;
    const { answers } = await converse(service.url(), 'nonsense\r\n\r\n');
    expect(searched.answerBytes - before).toBeGreaterThan(answers[0]!.text.length);
  });

  test('has its settings planted', () => {
    const { settings } = loadSettings({
      ...administratorSettings,
      DATABASE_URL: 'postgres://u:a-long-database-password@x/y',
      FLAGHOIST_METRICS_TOKEN: 'a-long-metrics-token',
    });
    const secrets = new PlantedSecrets();
    plantSettings(secrets, settings);
    const take = secrets.searchAnswers();
    for (const text of [
      administratorSettings.FLAGHOIST_BOOTSTRAP_CLIENT_SECRET,
      administratorSettings.FLAGHOIST_ENCRYPTION_KEY,
      'a-long-database-password',
      'a-long-metrics-token',
    ])
      take(Buffer.from(text!));
    expect(secrets.found.map((found) => found.split(' in ')[0])).toEqual([
      'the secret of the first client',
      'the encryption key',
      'the password of the database',
      'the token of the metrics',
    ]);
    expect(() => expectNoneFound(secrets)).toThrow('Secrets got out.');
  });

  test('has the private halves of its signing keys planted', async () => {
    const { pool } = service.database;
    const encryptionKey = Buffer.from(administratorSettings.FLAGHOIST_ENCRYPTION_KEY!, 'base64');
    const secrets = new PlantedSecrets();
    await plantSigningKeys(secrets, pool, encryptionKey);
    const { rows } = await pool.query('select kid, private_jwk from flaghoist_system.signing_key');
    const jwk = openEncryption(encryptionKey).decrypt(privateKeyPurpose(rows[0].kid), rows[0].private_jwk);
    secrets.searchLog([{ kind: 'database.message', text: jwk }]);
    expect(secrets.found).toContainEqual(expect.stringMatching(/^the private half of a signing key in the log/));
  });
});
