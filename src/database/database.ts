// The way to PostgreSQL: a pool of connections, statements that travel together and are prepared once they repeat, transactions
// that carry the acting user. A database that is away becomes `DatabaseAway`, and one whose disk is full `DatabaseFull`; callers
// answer 503 and 507.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Observe } from '../observability/observation.ts';
import type { ClientShares } from './client-shares.ts';
import {
  asOutage,
  DatabaseAway,
  DatabaseBusy,
  DatabaseStuck,
  isBusy,
  isRetryable,
  isUseless,
  ReadingStopped,
  unlessAway,
} from './database-away.ts';
import { RowClient } from './received-row.ts';
import { ServerWatch } from './server-watch.ts';
import { connectMs, sessionSettings, setUp } from './session-settings.ts';
import { type OnReceived, type Readers, runBatch } from './statement-batch.ts';
import { namesKeptMs, StatementNames } from './statement-names.ts';

export interface Statement {
  text: string;
  values?: unknown[];
  /** Not worth preparing: the text is hardly ever the same again. */
  isSeldom?: boolean;
  /** Expected to take long, see `client-shares.ts`. */
  isLong?: boolean;
  /** How columns with these names are read as they come, the same for the same text; the others by their types. */
  readers?: Readers;
  /** Called with the size of each row as it arrives, and with 0 before it is asked; what it throws ends the reading, and fails the call. */
  onReceived?: OnReceived | undefined;
}

export type Row = Record<string, unknown>;

/** In whose name something is written: the database stamps and audits it. */
export interface Actor {
  /** Key of the acting user; undefined where nobody is known. */
  userKey: number | undefined;
  /** Id of the client that acts for the user, or another name for where the change comes from. */
  client: string;
}

export interface DatabaseOptions {
  url: string;
  observe: Observe;
  connectionsMax: number;
  statementTimeoutMs: number;
  /** For queues, which are empty now and full a moment later: statements are planned once, and always by index. */
  isForQueues?: boolean;
  /** Shared by all pools of a process; without it the pool has one of its own. */
  watch?: ServerWatch;
  /** Shares of the connections, where clients ask for them; undefined: everybody may take all. */
  shares?: ClientShares;
}

/** Statements of one call travel together and are answered in order. */
export type Run = (...statements: Statement[]) => Promise<Row[][]>;

/** What runs inside one transaction. */
export interface Transaction {
  run: Run;
  /** The last statements, which travel with the COMMIT. */
  commitWith(...statements: Statement[]): Promise<Row[][]>;
}

type PooledClient = RowClient & pg.PoolClient;

interface Held {
  client: PooledClient;
  /** Nobody else is to get it. */
  isSpoilt: boolean;
}

export class Database {
  readonly #pool: pg.Pool;
  readonly #names = new StatementNames();
  readonly #patienceMs: number;
  readonly #watch: ServerWatch;
  readonly #isWatchOurs: boolean;
  readonly #shares: ClientShares | undefined;
  /** Of each connection that is open. */
  readonly #endings = new Set<Promise<void>>();

  constructor(options: DatabaseOptions) {
    const { url, observe, connectionsMax, statementTimeoutMs, isForQueues, watch, shares } = options;
    this.#watch = watch ?? new ServerWatch(url, observe);
    this.#isWatchOurs = watch === undefined;
    this.#shares = shares;
    // The server ends the statement before that, if it can be heard.
    this.#patienceMs = statementTimeoutMs + Math.min(5_000, statementTimeoutMs);
    const settings = sessionSettings(statementTimeoutMs, isForQueues);
    this.#pool = new pg.Pool({
      Client: RowClient,
      connectionString: withoutTimeLimit(url),
      max: connectionsMax,
      application_name: 'flaghoist',
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      maxLifetimeSeconds: namesKeptMs / 1000,
      keepAlive: true,
      onConnect: (client) => setUp(client as RowClient, settings),
    });
    this.#pool.on('connect', (client) => {
      // The pool listens to idle connections only; the error of one in use reaches its statement as well.
      client.on('error', () => undefined);
      this.#rememberUntilEnd(client);
    });
    // Without a listener the error of an idle connection would end the process when the database restarts.
    this.#pool.on('error', (error) => this.#watch.lostIdle(error));
  }

  /** One statement in a transaction of its own. `actor`: whose share of the connections it takes; undefined: nobody's. */
  run(statement: Statement, actor?: Actor): Promise<Row[]> {
    const send = async ({ client }: Held) => {
      // It may have waited for its turn, and nobody be there any more to read the answer.
      statement.onReceived?.(0);
      return (await this.#send(client, [statement]))[0]!;
    };
    return this.#withShare(actor, statement.isLong ?? false, send);
  }

  /** Fails if the database cannot be reached, or its disk is full. One that is busy can be reached. */
  async ping(): Promise<void> {
    try {
      await this.run({ text: 'select 1' });
    } catch (error) {
      if (!(error instanceof DatabaseBusy)) throw error;
    }
    this.#watch.checkDisk();
  }

  /** All statements in one transaction and one round trip: nothing in them may depend on an answer to another. */
  runTogether(actor: Actor, statements: Statement[]): Promise<Row[][]> {
    const isLong = statements.some((statement) => statement.isLong);
    return this.transaction(actor, ({ commitWith }) => commitWith(...statements), isLong);
  }

  /**
   * A transaction of several round trips. `work` may run again from the start: a deadlock or a serialisation failure is
   * nobody's mistake. `work` must not begin another one: it would wait for a share that this one holds.
   */
  transaction<T>(actor: Actor, work: (transaction: Transaction) => Promise<T>, isLong = false): Promise<T> {
    return this.#withShare(actor, isLong, async (held) => {
      const { client } = held;
      let unsent = opening(actor);
      let isCommitted = false;
      const run = async (...statements: Statement[]): Promise<Row[][]> => {
        const [before, batch] = [unsent.length, [...unsent, ...statements]];
        unsent = [];
        return (await this.#send(client, batch)).slice(before);
      };
      const commitWith = async (...statements: Statement[]): Promise<Row[][]> => {
        isCommitted = true;
        return (await run(...statements, commit)).slice(0, -1);
      };
      try {
        const result = await work({ run, commitWith });
        if (!isCommitted) await commitWith();
        return result;
      } catch (error) {
        await this.#rollBack(held, error);
        throw error;
      }
    });
  }

  /** The pool does not wait for its connections: a server that is stopped next would complain of those that are still there. */
  async close(): Promise<void> {
    this.#shares?.close();
    await this.#watch.guard(this.#pool.end()).catch(unlessAway);
    await new Promise<void>((resolve) => {
      const farewell = setTimeout(resolve, farewellMs);
      Promise.all(this.#endings).then(() => {
        clearTimeout(farewell);
        resolve();
      });
    });
    if (this.#isWatchOurs) await this.#watch.stop();
  }

  #rememberUntilEnd(client: pg.PoolClient): void {
    const ending = new Promise<void>((resolve) => {
      client.once('end', () => {
        this.#endings.delete(ending);
        resolve();
      });
    });
    this.#endings.add(ending);
  }

  /** One that is stuck or lost answers nothing any more, and is not used again; nor is one that cannot be rolled back. */
  async #rollBack(held: Held, error: unknown): Promise<void> {
    if (isUseless(error)) return;
    try {
      await this.#send(held.client, [rollback]);
    } catch {
      held.isSpoilt = true;
    }
  }

  async #withShare<T>(actor: Actor | undefined, isLong: boolean, work: (held: Held) => Promise<T>): Promise<T> {
    const release = actor && (await this.#shares?.take({ client: actor.client, isLong }));
    try {
      return await this.#withConnection(work);
    } finally {
      release?.();
    }
  }

  async #withConnection<T>(work: (held: Held) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.#connect();
      const held: Held = { client, isSpoilt: false };
      try {
        const result = await work(held);
        client.release();
        return result;
      } catch (error) {
        client.release(held.isSpoilt || isUseless(error));
        if (error instanceof ReadingStopped) throw error.cause;
        if (error instanceof DatabaseStuck) this.#watch.suspect();
        const outage = asOutage(error);
        if (outage) this.#watch.failed(outage);
        if (outage) throw outage;
        if (attempt >= attemptsMax || !isRetryable(error)) throw error;
      }
      // Those that met in a deadlock would meet again if all of them came back at once.
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }

  /** Whatever keeps us from connecting (a changed password, too): for the caller, the database is away. */
  async #connect(): Promise<PooledClient> {
    let connecting: Promise<PooledClient> | undefined;
    try {
      this.#watch.check();
      for (;;) {
        connecting = this.#pool.connect() as Promise<PooledClient>;
        const client = await this.#watch.guard(connecting);
        if (client.heardAt >= this.#watch.lostAt) return client;
        client.release(true);
        // On a lost connection nothing comes of the farewell.
        client.cutOff();
        connecting = undefined;
      }
    } catch (error) {
      // If it still comes, nobody is waiting for it.
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
    const named = statements.map(({ text, values = [], isSeldom, readers, onReceived }) => ({
      text,
      values,
      readers,
      onReceived,
      name: isSeldom ? undefined : this.#names.nameOf(text),
    }));
    const answers = await this.#watch.guard(runBatch(client, named, this.#patienceMs), client);
    client.heardAt = performance.now();
    this.#watch.heard();
    return answers;
  }
}

const attemptsMax = 6;
/** A server that says nothing any more does not keep us from stopping. */
const farewellMs = 1_000;

/** The driver's would be a second one, with errors of its own; see `statement-batch.ts`. */
function withoutTimeLimit(url: string): string {
  return url.replace(/(?<=[?&])query_timeout=[^&]*&?/, '');
}

const commit: Statement = { text: 'commit' };
/** Without a name, which the server might not know. */
const rollback: Statement = { text: 'rollback', isSeldom: true };

export function opening({ userKey, client }: Actor): Statement[] {
  const text = "select set_config('flaghoist.user_key', $1, true), set_config('flaghoist.client_id', $2, true)";
  return [{ text: 'begin' }, { text, values: [userKey === undefined ? '' : String(userKey), client] }];
}
