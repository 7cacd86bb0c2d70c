// Makes sure that no secret gets out: all that a test service answers, logs and stores is searched for the secrets that
// were planted in it. Answers are searched as they leave and are not kept; log and tables when the tests are done.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { privateKeyPurpose } from '../../src/auth/signing-keys/signing-keys.ts';
import type { Settings } from '../../src/config/settings-table.ts';
import { readSmtpUrl } from '../../src/config/smtp-url.ts';
import { createLog } from '../../src/observe/log.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { Needles } from './needles.ts';

/** What was searched, so that "none found" means something. */
export interface Searched {
  answerBytes: number;
  logLines: number;
  tableRows: number;
}

export class PlantedSecrets {
  readonly searched: Searched = { answerBytes: 0, logLines: 0, tableRows: 0 };
  readonly #found = new Set<string>();
  /** All spellings, by whose they are. */
  readonly #needles = new Needles();

  /** From now on the secret must not be seen: an answer that showed it once, as it should, has left before. */
  plant(name: string, secret: string | Buffer): void {
    for (const spelling of spellingsOf(Buffer.from(secret as string)))
      this.#needles.add({ bytes: Buffer.from(spelling, 'latin1'), name });
  }

  /** Its signature alone is secret; the rest is of no use to anybody. */
  plantToken(name: string, token: string): void {
    this.plant(name, token.split('.')[2]!);
  }

  /** What was seen, where, and what stood before it; empty where all is well. */
  get found(): string[] {
    return [...this.#found];
  }

  /** Takes what is sent over one connection, however it is cut into pieces. */
  searchAnswers(): (piece: Buffer) => void {
    let end = Buffer.alloc(0);
    return (piece) => {
      this.searched.answerBytes += piece.length;
      const bytes = Buffer.concat([end, piece]);
      this.#search('an answer', bytes, end.length);
      end = Buffer.from(bytes.subarray(Math.max(0, bytes.length - this.#needles.longest)));
    };
  }

  /** As the log would have it, down to the last detail. */
  searchLog(observations: readonly Observation[]): void {
    const write = (line: string) => {
      this.searched.logLines += 1;
      this.#searchKept('the log', line);
    };
    for (const format of ['json', 'text'] as const) {
      const log = createLog({ level: 'debug', format }, { write });
      for (const observation of observations) log(observation);
    }
  }

  /** Every row of every table, as text: `bytea` is hexadecimal there. */
  async searchTables(pool: pg.Pool): Promise<void> {
    const { rows: tables } = await pool.query<{ statement: string }>(
      `select format('select %L as name, t::text as text from %I.%I t', schemaname || '.' || tablename, schemaname,
         tablename) as statement
       from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const all = tables.map(({ statement }) => statement).join(' union all ');
    await eachRow(pool, all, ({ name, text }) => {
      this.searched.tableRows += 1;
      this.#searchKept(`the table ${name}`, text);
    });
  }

  #search(place: string, bytes: Buffer, seen = 0): void {
    for (const { needle, at } of this.#needles.findIn(bytes, seen))
      this.#tell(needle.name, place, bytes.toString('latin1', Math.max(0, at - 60), at));
  }

  /** What is kept must not hold any secret of any client, nor any token, whether it was planted or not. */
  #searchKept(place: string, text: string): void {
    this.#search(place, Buffer.from(text));
    for (const [name, form] of secretForms) {
      const at = text.search(form);
      if (at >= 0) this.#tell(name, place, text.slice(Math.max(0, at - 60), at));
    }
  }

  #tell(name: string, place: string, before: string): void {
    if (this.#found.size < foundMax) this.#found.add(`${name} in ${place}, behind ${JSON.stringify(before)}`);
  }
}

const foundMax = 20;

const secretForms: [string, RegExp][] = [
  // Not in the middle of an encrypted text, which may have these letters by chance.
  ['the secret of a client', /(?<![\w-])fhs_[\w-]{43}(?![\w-])/],
  ['the code of a console link', /fhl_\d+_[\w-]{43}/],
  ['the cookie of a console session', /fhc_[\w-]{22}\.[\w-]{43}/],
  ['the signing secret of a subscription', /whsec_[A-Za-z0-9+/]{43}=/],
  ['a token', /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{80,}/],
];

/** As it is, in hexadecimal, and in Base64 of both alphabets, also in the middle of something longer. */
function spellingsOf(secret: Buffer): Set<string> {
  const hex = secret.toString('hex');
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
    // The first and the last character may share their bits with what stands beside.
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
  });
  const inBase64Url = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return new Set([secret.toString('latin1'), hex, hex.toUpperCase(), ...inBase64, ...inBase64Url]);
}

interface StoredRow {
  /** Of its table. */
  name: string;
  text: string;
}

/** One after the other: a table may be larger than memory. */
async function eachRow(pool: pg.Pool, statement: string, take: (row: StoredRow) => void): Promise<void> {
  const client = await pool.connect();
  try {
    await new Promise<void>((resolve, reject) => {
      const query = client.query(new pg.Query<StoredRow>(statement));
      query.on('row', take);
      query.on('end', () => resolve());
      query.on('error', reject);
    });
  } finally {
    client.release();
  }
}

/** All that is sent from this port of this process, whoever asked for it. Ends with the function that is returned. */
export function watchAnswers(secrets: PlantedSecrets, port: () => number | undefined): () => void {
  const onConnection = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === port()) tap(socket, secrets.searchAnswers());
  };
  subscribe('net.server.socket', onConnection);
  return () => void unsubscribe('net.server.socket', onConnection);
}

function tap(socket: Socket, take: (piece: Buffer) => void): void {
  const bytesOf = (chunk: string | Buffer, encoding: BufferEncoding) =>
    typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
  const { _write, _writev } = socket;
  socket._write = (chunk, encoding, done) => {
    take(bytesOf(chunk, encoding));
    _write.call(socket, chunk, encoding, done);
  };
  socket._writev = (chunks, done) => {
    for (const { chunk, encoding } of chunks) take(bytesOf(chunk, encoding));
    _writev!.call(socket, chunks, done);
  };
}

/** What an operator sets and must never see again. */
export function plantSettings(secrets: PlantedSecrets, settings: Settings): void {
  const {
    bootstrapClientSecret,
    consoleClientSecret,
    encryptionKey,
    metricsToken,
    databaseUrl,
    smtpUrl,
    egressProxy,
    alertUrl,
    otlpHeaders,
  } = settings;
  const databasePassword = databaseUrl === undefined ? '' : decodeURIComponent(new URL(databaseUrl).password);
  if (bootstrapClientSecret) secrets.plant('the secret of the first client', bootstrapClientSecret);
  if (consoleClientSecret) secrets.plant('the secret of the console at the issuer', consoleClientSecret);
  if (encryptionKey) secrets.plant('the encryption key', encryptionKey);
  for (const value of Object.values(otlpHeaders ?? {})) secrets.plant('a header for the collector', value);
  const mailPassword = smtpUrl === undefined ? undefined : readSmtpUrl(smtpUrl).login?.password;
  if (metricsToken) secrets.plant('the token of the metrics', metricsToken);
  if (alertUrl) secrets.plant('the alert URL', alertUrl);
  if (mailPassword) secrets.plant('the password of the mail server', mailPassword);
  if (egressProxy?.login) secrets.plant('the password of the proxy', egressProxy.login.password);
  // A short one, such as `postgres`, is a word that is there for other reasons.
  if (databasePassword.length >= 16) secrets.plant('the password of the database', databasePassword);
}

/** The private halves of all signing keys that there are by now. */
export async function plantSigningKeys(secrets: PlantedSecrets, pool: pg.Pool, encryptionKey: Buffer): Promise<void> {
  const { rows } = await pool.query<{ kid: string; private_jwk: string }>(
    'select kid, private_jwk from flaghoist_system.signing_key',
  );
  const encryption = openEncryption(encryptionKey);
  for (const { kid, private_jwk } of rows) {
    const { d } = JSON.parse(encryption.decrypt(privateKeyPurpose(kid), private_jwk)) as { d: string };
    secrets.plant('the private half of a signing key', Buffer.from(d, 'base64url'));
  }
}

/** To be called when all has been searched. */
export function expectNoneFound({ found, searched }: PlantedSecrets): void {
  expect(found, 'Secrets got out.').toEqual([]);
  for (const [what, count] of Object.entries(searched)) expect(count, `${what} searched`).toBeGreaterThan(0);
}

/** For the sum over the whole run (`tell-searched.ts`). */
export function recordSearched({ searched }: PlantedSecrets): void {
  appendFileSync(inject('searchedFile'), `${JSON.stringify(searched)}\n`);
}
