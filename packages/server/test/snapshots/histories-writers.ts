// Worlds of a few objects, and writers that change one world at the same time with random transactions, by SQL and over
// REST. A transaction that PostgreSQL or the service rejects leaves nothing and is counted.

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { bunkerOrderBody, cargoBody, create, type Fleet } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';

/** The start of the external keys of all its objects. */
export type World = string;

export interface Writing {
  readonly service: TestService;
  readonly fleet: Fleet;
  readonly random: () => number;
}

/** A committed transaction. The numbers are in the order of all beginnings and ends. */
export interface Ran {
  readonly begun: number;
  readonly ended: number;
  /** Its id, or the external key that it has written. */
  readonly transaction: number | string;
}

/** Two voyages with port calls, event logs and a cargo each, a vessel, and two bunker orders. */
export async function createWorld({ service, fleet }: Writing, world: World): Promise<void> {
  const named = { externalObjectKey: `${world}.` };
  const vessel = await create(service, 'Vessel', { ...named, vesselName: 'first' });
  const spare = await create(service, 'Vessel', { ...named, vesselName: 'spare' });
  const cargoPorts = cargoBody(fleet).cargoPorts.map((each) => ({ ...named, ...each, quantity: 1 }));
  const call = { ...named, port: fleet.port.key, reasonForCall: 'L', speed: 1 };
  for (const { key } of [vessel, spare]) {
    const { portCalls } = await create(service, 'Voyage', {
      ...named,
      vessel: key,
      portCalls: [{ ...call, eventLogs: [{ ...named, event: 'ARR' }] }, call],
      cargos: [{ ...named, ...cargoBody(fleet), cargoPorts, quantity: 1 }],
    });
    const order = bunkerOrderBody(fleet, portCalls[0].key);
    const bunkerOrderLines = order.bunkerOrderLines.map((line) => ({ ...named, ...line }));
    await create(service, 'BunkerOrder', { ...named, ...order, extraCost: 1, bunkerOrderLines });
  }
}

type Table =
  | 'voyage'
  | 'port_call'
  | 'event_log'
  | 'cargo'
  | 'cargo_port'
  | 'bunker_order'
  | 'bunker_order_line'
  | 'vessel';

interface Picked {
  key: number;
  /** Of an object in `to`. */
  other: number;
  /** A different one every time. */
  n: number;
  /** The external key of a new object. */
  named: string;
  fleet: Fleet;
}

interface Step {
  /** How often, compared with others; 4 if not given. */
  weight?: number;
  of: Table;
  to?: Table;
  sql: (picked: Picked) => string;
}

const set = (of: Table, change: (picked: Picked) => string, more: Partial<Step> = {}): Step => ({
  of,
  ...more,
  sql: (picked) => `update flaghoist.${of} set ${change(picked)} where key = ${picked.key}`,
});
const remove = (of: Table): Step => ({
  of,
  weight: 2,
  sql: ({ key }) => `delete from flaghoist.${of} where key = ${key}`,
});
const add = (table: Table, owner: Table, values: (picked: Picked) => Record<string, string | number>): Step => ({
  of: owner,
  sql: (picked) => {
    const columns = { [owner]: picked.key, external_object_key: `'${picked.named}'`, ...values(picked) };
    return `insert into flaghoist.${table} (${Object.keys(columns)}) values (${Object.values(columns)})`;
  },
});
const line = ({ n, fleet }: Picked) => ({
  min_quantity: 1,
  max_quantity: 2,
  unit_price: n,
  bunker_type: fleet.bunkerType.key,
});

const steps: Step[] = [
  set('voyage', ({ n }) => `comments = 'c${n}'`, { weight: 8 }),
  set('voyage', ({ other }) => `vessel = ${other}`, { to: 'vessel' }),
  {
    of: 'voyage',
    weight: 2,
    sql: ({ named, n }) => `insert into flaghoist.voyage (comments, external_object_key) values ('n${n}', '${named}')`,
  },
  { ...remove('voyage'), weight: 1 },
  set('vessel', ({ n }) => `vessel_name = 'v${n}'`, { weight: 6 }),
  set('port_call', ({ n }) => `speed = ${n % 100}`, { weight: 12 }),
  set('port_call', ({ n }) => `port_call_sequence = ${n % 4}`),
  set('port_call', ({ other }) => `voyage = ${other}`, { to: 'voyage', weight: 8 }),
  add('port_call', 'voyage', ({ n, fleet }) => ({
    port: fleet.port.key,
    reason_for_call: "'D'",
    port_call_sequence: n % 4,
    speed: n % 100,
  })),
  remove('port_call'),
  set('event_log', ({ n }) => `event_log_date = timestamp '2026-11-18' + interval '${n} seconds'`, { weight: 6 }),
  add('event_log', 'port_call', () => ({ event: "'DEP'" })),
  remove('event_log'),
  set('cargo', ({ n }) => `quantity = ${n}`, { weight: 6 }),
  set('cargo', ({ other }) => `voyage = ${other}`, { to: 'voyage', weight: 6 }),
  set('cargo', () => 'voyage = null', { weight: 2 }),
  remove('cargo'),
  set('cargo_port', ({ n }) => `quantity = ${n}`),
  set('cargo_port', ({ other }) => `port_call = ${other}`, { to: 'port_call' }),
  add('cargo_port', 'cargo', ({ n, fleet }) => ({
    port: fleet.port.key,
    reason_for_call: "'D'",
    cargo_port_sequence: n % 4,
  })),
  remove('cargo_port'),
  set('bunker_order', ({ n }) => `extra_cost = ${n}`, { weight: 6 }),
  set('bunker_order', ({ other }) => `port_call = ${other}`, { to: 'port_call', weight: 4 }),
  add('bunker_order', 'port_call', ({ n, fleet }) => ({
    vessel: fleet.vessel.key,
    bunker_order_status: "'PLN'",
    extra_cost: n,
  })),
  remove('bunker_order'),
  set('bunker_order_line', ({ n }) => `unit_price = ${n}`, { weight: 6 }),
  add('bunker_order_line', 'bunker_order', line),
  remove('bunker_order_line'),
];
const weighted = steps.flatMap((step) => Array.from({ length: step.weight ?? 4 }, () => step));

interface Request {
  resource: string;
  of: Table;
  to: Table;
  body: (picked: Picked) => object;
}

/** The last one deletes all other port calls of the voyage, or is rejected. */
const requests: Request[] = [
  { resource: 'Voyage', of: 'voyage', to: 'vessel', body: ({ n, other }) => ({ comments: `r${n}`, vessel: other }) },
  { resource: 'PortCall', of: 'port_call', to: 'voyage', body: ({ n, other }) => ({ speed: n % 100, voyage: other }) },
  {
    resource: 'BunkerOrder',
    of: 'bunker_order',
    to: 'port_call',
    body: ({ n, other }) => ({ extraCost: n, portCall: other }),
  },
  {
    resource: 'BunkerOrder',
    of: 'bunker_order',
    to: 'bunker_order_line',
    body: ({ n, other }) => ({ bunkerOrderLines: [{ key: other, unitPrice: n }] }),
  },
  { resource: 'Cargo', of: 'cargo', to: 'voyage', body: ({ n, other }) => ({ quantity: n, voyage: other }) },
  {
    resource: 'Voyage',
    of: 'voyage',
    to: 'port_call',
    body: ({ n, other }) => ({ portCalls: [{ key: other, speed: n % 100 }] }),
  },
];

export class Writer {
  readonly committed: Ran[] = [];
  /** The reasons. */
  readonly rejected: string[] = [];
  readonly #writing: Writing;
  readonly #world: World;

  constructor(writing: Writing, world: World) {
    this.#writing = writing;
    this.#world = world;
  }

  async run(client: pg.PoolClient, count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const begun = tick();
      const transaction = await (this.#chance(0.15) ? this.#put(client) : this.#transact(client));
      if (transaction !== undefined) this.committed.push({ begun, ended: tick(), transaction });
    }
  }

  /** Returns its id; undefined if nothing was changed. */
  async #transact(client: pg.PoolClient): Promise<number | undefined> {
    try {
      await client.query(`begin isolation level ${this.#chance(0.08) ? 'repeatable read' : 'read committed'}`);
      for (let count = 1 + Math.floor(this.#writing.random() * 3); count > 0; count -= 1) {
        await this.#change(client);
        await pause(this.#writing.random() * 30);
      }
      const { rows } = await client.query('select pg_current_xact_id_if_assigned()::text as id');
      await client.query('commit');
      return rows[0].id === null ? undefined : Number(rows[0].id);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      this.rejected.push(error.code!);
      await client.query('rollback');
      return undefined;
    }
  }

  async #change(client: pg.PoolClient): Promise<void> {
    const savepoint = this.#writing.random();
    if (savepoint < 0.25) await client.query('savepoint s');
    const step = this.#oneOf(weighted);
    const picked = await this.#pick(client, step);
    if (picked) await client.query(step.sql(picked));
    if (picked && this.#chance(0.1)) await client.query(step.sql({ ...picked, ...this.#fresh() }));
    if (savepoint < 0.1) await client.query('rollback to s');
  }

  /** Returns the external key by which its transaction is found. */
  async #put(client: pg.PoolClient): Promise<string | undefined> {
    const request = this.#oneOf(requests);
    const picked = await this.#pick(client, request);
    if (!picked) return undefined;
    const body = { externalObjectKey: picked.named, ...request.body(picked) };
    const { status, text } = await this.#writing.service.put(`/ws/rest/${request.resource}/${picked.key}`, body);
    if (status === 200) return picked.named;
    if (status >= 500) throw new Error(`A PUT was answered ${status}: ${text}`);
    this.rejected.push(`${status}`);
    return undefined;
  }

  async #pick(client: pg.PoolClient, { of, to = of }: Pick<Step, 'of' | 'to'>): Promise<Picked | undefined> {
    const [key, other] = [await this.#keyIn(client, of), await this.#keyIn(client, to)];
    if (key === undefined || other === undefined) return undefined;
    return { key, other, fleet: this.#writing.fleet, ...this.#fresh() };
  }

  async #keyIn(client: pg.PoolClient, table: Table): Promise<number | undefined> {
    const { rows } = await client.query(
      `select key::int from flaghoist.${table} where external_object_key like $1 order by key`,
      [`${this.#world}.%`],
    );
    return rows[Math.floor(this.#writing.random() * rows.length)]?.key;
  }

  #fresh(): Pick<Picked, 'n' | 'named'> {
    const n = tick();
    return { n, named: `${this.#world}.${n}` };
  }

  #oneOf<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#writing.random() * choices.length)]!;
  }

  #chance(of: number): boolean {
    return this.#writing.random() < of;
  }
}

let ticks = 0;
function tick(): number {
  ticks += 1;
  return ticks;
}

export async function deleteWorlds(pool: pg.Pool): Promise<void> {
  for (const table of ['bunker_order', 'cargo', 'voyage', 'vessel'])
    await pool.query(`delete from flaghoist.${table} where external_object_key is not null`);
}
