// Access to PostgreSQL: a connection pool, batched and prepared statements, and transactions that carry the acting
// user. An unavailable database becomes `DatabaseAway` (callers respond with 503), a full disk `DatabaseFull` (507).

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Observe } from '../observe/observation.ts';
import type { Tracing } from '../observe/traces/tracing.ts';
import type { ClientShares } from './client-shares.ts';
import {
  asOutage,
  DatabaseAway,
  DatabaseBusy,
  DatabaseStuck,
  isBusy,
  isRetryable,
  isUnusable,
  ReadingStopped,
} from './database-away.ts';
import type { DatabaseClient } from './database-client.ts';
import { poolClient, withoutTimeLimit } from './pool-client.ts';
import { ServerHosts } from './server-hosts.ts';
import { ServerWatch } from './server-watch.ts';
import { connectMs, sessionSettings, setUp } from './session-settings.ts';
import { type BatchedStatement, type Row, runBatch } from './statement-batch.ts';
import { namesKeptMs, StatementNames } from './statement-names.ts';
import { traceStatements } from './trace-statements.ts';
import { noteTrace } from './traced-transaction-table.ts';
import { actAs, begin, commit, rollback } from './transaction-statements.ts';

/** `onReceived` is also called before sending, with 0. The pool decides which statements are prepared. */
export interface Statement extends Omit<BatchedStatement, 'values' | 'name'> {
  values?: unknown[];
  /** Not worth preparing, because the text rarely repeats. */
  isSeldom?: boolean;
  /** Expected to take long; see `client-shares.ts`. */
  isLong?: boolean;
}

export type { Row };

/** On whose behalf a change is written. The database stamps and audits the change with it. */
export interface Actor {
  /** Key of the acting user; undefined if no user is known. */
  userKey: number | undefined;
  /** Id of the client that acts for the user, or another name for the source of the change. */
  client: string;
}

export interface DatabaseOptions {
  /** May name several hosts. */
  url: string;
  observe: Observe;
  connectionsMax: number;
  statementTimeoutMs: number;
  /** For queues, whose size changes within moments: statements are planned once, and always use indexes. */
  isForQueues?: boolean;
  /** Shared by all pools of a process. Without it, the pool has its own. */
  watch?: ServerWatch;
  /** Limits the connections per client; undefined: no limit. */
  shares?: ClientShares;
  /** Undefined if tracing is off. */
  tracing?: Tracing | undefined;
}

/** The statements of one call are sent together and answered in order. */
export type Run = (...statements: Statement[]) => Promise<Row[][]>;

/** Runs statements inside one transaction. */
export interface Transaction {
  run: Run;
  /** Sends the last statements together with the COMMIT. */
  commitWith(...statements: Statement[]): Promise<Row[][]>;
}

type PooledClient = DatabaseClient & pg.PoolClient;

interface Connection {
  client: PooledClient;
  /** Must not return to the pool. */
  isBroken: boolean;
}

export class Database {
  readonly #pool: pg.Pool;
  readonly #names = new StatementNames();
  readonly #answerTimeoutMs: number;
  readonly #watch: ServerWatch;
  readonly #ownsWatch: boolean;
  readonly #shares: ClientShares | undefined;
  readonly #tracing: Tracing | undefined;
  readonly #open = new Set<DatabaseClient>();

  constructor(options: DatabaseOptions) {
    const { url, observe, connectionsMax, statementTimeoutMs, isForQueues, watch, shares, tracing } = options;
    this.#watch = watch ?? new ServerWatch(new ServerHosts(url, observe), observe);
    this.#ownsWatch = watch === undefined;
    this.#shares = shares;
    this.#tracing = tracing;
    // The server cancels the statement before this limit, unless the connection is lost.
    this.#answerTimeoutMs = statementTimeoutMs + Math.min(5_000, statementTimeoutMs);
    const settings = sessionSettings(statementTimeoutMs, isForQueues);
    this.#pool = new pg.Pool({
      Client: poolClient(this.#watch.hosts),
      connectionString: withoutTimeLimit(url),
      max: connectionsMax,
      application_name: 'flaghoist',
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      maxLifetimeSeconds: namesKeptMs / 1000,
      keepAlive: true,
      onConnect: (client) => setUp(client as DatabaseClient, settings, this.#watch.hosts.refuseStandbys),
    });
    this.#pool.on('connect', (pooled) => {
      const client = pooled as PooledClient;
      this.#open.add(client);
      client.once('end', () => this.#open.delete(client));
    });
    // Without a listener, the error of an idle connection would end the process when the database restarts.
    this.#pool.on('error', (error) => this.#watch.lostIdle(error));
  }

  /** Runs one statement in its own transaction. `actor`: whose share of the connections it uses; undefined: none. */
  run(statement: Statement, actor?: Actor): Promise<Row[]> {
    const send = async ({ client }: Connection) => {
      // The request may have waited for its turn, and its client may have disconnected meanwhile.
      statement.onReceived?.(0);
      return (await this.#send(client, [statement]))[0]!;
    };
    return this.#withShare(actor, statement.isLong ?? false, send);
  }

  /** Fails if the database is unavailable or its disk is full. A busy database counts as available. */
  async ping(): Promise<void> {
    try {
      await this.run({ text: 'select 1' });
    } catch (error) {
      if (!(error instanceof DatabaseBusy)) throw error;
    }
    this.#watch.checkDisk();
  }

  /** Runs all statements in one transaction and one round trip. No statement may depend on the answer to another. */
  runTogether(actor: Actor, statements: Statement[]): Promise<Row[][]> {
    const isLong = statements.some((statement) => statement.isLong);
    return this.transaction(actor, ({ commitWith }) => commitWith(...statements), isLong);
  }

  /**
   * Runs a transaction. One of a single round trip needs no BEGIN and COMMIT, because PostgreSQL makes a transaction of
   * what is sent together. After a deadlock or a serialisation failure, `work` runs again from the start. `work` must
   * not begin another transaction, which would wait for the share that this one holds.
   */
  transaction<T>(
    actor: Actor,
    work: (transaction: Transaction) => Promise<T>,
    isLong = false,
    end: Statement = commit,
  ): Promise<T> {
    return this.#withShare(actor, isLong, async (connection) => {
      const { client } = connection;
      let [isBegun, isCommitted] = [false, false];
      const run = async (...statements: Statement[]): Promise<Row[][]> => {
        const opening = isBegun ? [] : [begin, actAs(actor)];
        isBegun = true;
        return (await this.#send(client, [...opening, ...statements])).slice(opening.length);
      };
      const commitWith = async (...statements: Statement[]): Promise<Row[][]> => {
        isCommitted = true;
        const request = this.#tracing?.current();
        const all = request?.kind === 'server' ? [...statements, noteTrace(request.asParent)] : statements;
        if (isBegun || end !== commit) return (await run(...all, end)).slice(0, statements.length);
        return (await this.#send(client, [actAs(actor), ...all])).slice(1, 1 + statements.length);
      };
      try {
        const result = await work({ run, commitWith });
        if (!isCommitted) await commitWith();
        return result;
      } catch (error) {
        if (isBegun) await this.#rollBack(connection, error);
        throw error;
      }
    });
  }

  /** The same, but rolls back at the end: nothing of what `work` has written remains. */
  rehearse<T>(actor: Actor, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(actor, work, false, rollback);
  }

  /** The pool does not wait until its connections end. A server that is stopped next would report them as open. */
  async close(): Promise<void> {
    this.#shares?.close();
    await this.#watch.guard(this.#pool.end()).catch((error) => {
      if (!(error instanceof DatabaseAway)) throw error;
    });
    const ends = [...this.#open].map((client) => new Promise((resolve) => client.once('end', resolve)));
    // A server that no longer responds must not block the shutdown.
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, closeTimeoutMs);
      void Promise.all(ends).then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    for (const client of this.#open) client.cutOff();
    if (this.#ownsWatch) await this.#watch.stop();
  }

  /** A stuck or lost connection is not used again. The same holds for a connection whose rollback fails. */
  async #rollBack(connection: Connection, error: unknown): Promise<void> {
    if (isUnusable(error)) return;
    try {
      await this.#send(connection.client, [rollback]);
    } catch {
      connection.isBroken = true;
    }
  }

  async #withShare<T>(
    actor: Actor | undefined,
    isLong: boolean,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const release = actor && (await this.#shares?.take({ client: actor.client, isLong }));
    try {
      return await this.#withConnection(work);
    } finally {
      release?.();
    }
  }

  async #withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.#connect();
      const connection: Connection = { client, isBroken: false };
      try {
        const result = await work(connection);
        client.release();
        return result;
      } catch (error) {
        client.release(connection.isBroken || isUnusable(error));
        if (error instanceof ReadingStopped) throw error.cause;
        if (error instanceof DatabaseStuck) this.#watch.suspect();
        const outage = asOutage(error);
        if (outage) {
          this.#watch.failed(outage);
          throw outage;
        }
        if (attempt >= attemptsMax || !isRetryable(error)) throw error;
      }
      // The pause is random, so that transactions that deadlocked do not meet again.
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }

  /** Any failure to connect, even a changed password, counts as an unavailable database. Only a busy pool does not. */
  async #connect(): Promise<PooledClient> {
    let connecting: Promise<PooledClient> | undefined;
    try {
      this.#watch.check();
      await this.#watch.hosts.known();
      for (;;) {
        connecting = this.#pool.connect() as Promise<PooledClient>;
        const client = await this.#watch.guard(connecting);
        if (client.answeredAt >= this.#watch.lostAt) return client;
        client.release(true);
        // A lost connection cannot be closed gracefully.
        client.cutOff();
        connecting = undefined;
      }
    } catch (error) {
      // The connection may still open, but no caller is waiting for it.
      connecting?.then(
        (client) => client.release(),
        () => undefined,
      );
      if (isBusy(error)) throw new DatabaseBusy(error);
      const away = error instanceof DatabaseAway ? error : new DatabaseAway(error);
      this.#watch.failed(away);
      if (away !== error) this.#watch.suspect();
      throw away;
    }
  }

  async #send(client: PooledClient, statements: Statement[]): Promise<Row[][]> {
    const named = statements.map((statement) => ({
      ...statement,
      name: statement.isSeldom ? undefined : this.#names.nameOf(statement.text),
    }));
    const answering = this.#watch.guard(runBatch(client, named, this.#answerTimeoutMs), client);
    const answers = await (this.#tracing ? traceStatements(this.#tracing, statements, answering) : answering);
    client.answeredAt = performance.now();
    this.#watch.answered();
    return answers;
  }
}

const attemptsMax = 6;
const closeTimeoutMs = 1_000;
