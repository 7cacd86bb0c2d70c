// A separate program that makes changes at a fixed rate, whether or not earlier changes are done: over REST, or by SQL
// as a process of the service with only the role `api` would. It wakes the worker in the same way as such a process.

import pg from 'pg';
import { type Dispatcher, Pool } from 'undici';
import { ServerHosts } from '../../packages/server/src/database/server-hosts.ts';
import { WakeUp } from '../../packages/server/src/database/wake-up.ts';
import { nowMs } from './moment.ts';

export interface ChangePlan {
  by: ByRest | BySql;
  perSecond: number;
  count: number;
  /** The text of every change starts with this; its number follows. */
  mark: string;
}

export interface ByRest {
  kind: 'rest';
  origin: string;
  headers: Record<string, string>;
  paths: string[];
  method?: 'POST' | 'PUT';
  /** `{text}` stands for the text of the change. Without it, the comments of an object are changed. */
  body?: string;
}

export interface BySql {
  kind: 'sql';
  databaseUrl: string;
  /** Of the place, and of the text. */
  statement: string;
  places: number[];
  /** Whether the writer knows nothing of the service, and so does not wake a worker itself. */
  isForeign?: boolean;
}

export interface ChangeResult {
  /** When the first was due; the others follow at the rate. */
  startMs: number;
  done: number;
  failures: Record<string, number>;
  /** The largest delay of the generator itself. */
  lateMsMax: number;
}

interface Sender {
  /** Returns the errors. */
  send(n: number, text: string): Promise<string | undefined>;
  /** Resolves when all wake-ups are sent. */
  flush(): Promise<unknown>;
  close(): Promise<unknown>;
}

const connections = 64;
const leadMs = 50;

process.on('message', async (plan: ChangePlan) => {
  process.send!(await makeChanges(plan));
});
process.on('disconnect', () => process.exit());

/**
 * Writers by SQL are kept from round to round, as a process with the role `api` keeps its connections, because their
 * first statements cost many times as much as later ones. For one database at a time.
 */
const kept = new Map<string, Sender>();
let keptFor = '';

async function senderFor(by: ByRest | BySql): Promise<Sender> {
  if (by.kind === 'rest') return openRest(by);
  if (by.databaseUrl !== keptFor) {
    for (const sender of kept.values()) await sender.close();
    kept.clear();
    keptFor = by.databaseUrl;
  }
  const name = `${by.statement} ${by.isForeign}`;
  const sender = kept.get(name) ?? (await openSql(by));
  kept.set(name, sender);
  return sender;
}

async function makeChanges(plan: ChangePlan): Promise<ChangeResult> {
  const sender = await senderFor(plan.by);
  const result: ChangeResult = { startMs: nowMs() + leadMs, done: 0, failures: {}, lateMsMax: 0 };
  const under: Promise<void>[] = [];
  const begin = async (n: number) => {
    const failure = await sender.send(n, `${plan.mark} ${n}`).catch((error: Error) => error.message);
    if (failure === undefined) result.done += 1;
    else result.failures[failure] = (result.failures[failure] ?? 0) + 1;
  };
  await new Promise<void>((resolve) => {
    let next = 0;
    const tick = () => {
      for (; next < plan.count; next += 1) {
        const lateMs = nowMs() - (result.startMs + (next * 1000) / plan.perSecond);
        if (lateMs < 0) break;
        result.lateMsMax = Math.max(result.lateMsMax, lateMs);
        under.push(begin(next));
      }
      if (next < plan.count) setTimeout(tick, 1);
      else resolve();
    };
    tick();
  });
  await Promise.all(under);
  await sender.flush();
  return result;
}

function openRest({ origin, headers, paths, method = 'PUT', body = '{"comments":"{text}"}' }: ByRest): Sender {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  return {
    send: async (n, text) => {
      const sent: Dispatcher.RequestOptions = {
        path: paths[n % paths.length]!,
        method,
        headers,
        body: body.replace('{text}', text),
      };
      const answer = await pool.request(sent);
      await answer.body.dump();
      return answer.statusCode < 300 ? undefined : `status ${answer.statusCode}`;
    },
    flush: () => pool.close(),
    close: () => pool.close(),
  };
}

async function openSql({ databaseUrl, statement, places, isForeign = false }: BySql): Promise<Sender> {
  const options = isForeign ? '' : '-c flaghoist.is_own=on';
  const pool = new pg.Pool({ connectionString: databaseUrl, options, max: 16, idleTimeoutMillis: 0 });
  await Promise.all(Array.from({ length: 16 }, () => pool.query('select pg_sleep(0.05)')));
  const wakeUp = new WakeUp({ hosts: new ServerHosts(databaseUrl, () => undefined), onWake: () => undefined });
  wakeUp.start();
  await pool.query('select pg_sleep(0.2)');
  return {
    send: async (n, text) => {
      await pool.query({ name: 'change', text: statement, values: [places[n % places.length], text] });
      if (!isForeign) wakeUp.notify();
      return undefined;
    },
    // The last wake-up is sent a moment later.
    flush: () => pool.query('select pg_sleep(0.05)'),
    close: () => Promise.all([pool.end(), wakeUp.stop()]),
  };
}
