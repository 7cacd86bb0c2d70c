// All SQL of the REST benchmark: fills a database with voyages, and counts what the ledger needs. Rows are loaded in
// bulk with `session_replication_role = replica`: no triggers, no events, and no foreign key checks, which the
// statements satisfy anyway.

import pg from 'pg';

export interface Fleet {
  voyages: number;
  ports: number;
  /** How many voyages start in the port `portCode(1)`; the others are spread evenly over the other ports. */
  voyagesOfFirstPort: number;
  /** Whether each voyage has port calls with event logs, and a cargo with its ports. */
  hasSubObjects: boolean;
}

const vessels = 50;

export function portCode(number: number): string {
  return `B${String(number).padStart(4, '0')}`;
}

export async function fillFleet(url: string, fleet: Fleet): Promise<void> {
  const statements = [
    'begin',
    'set local session_replication_role = replica',
    insertMasterData(fleet),
    insertVoyages(fleet),
    ...(fleet.hasSubObjects ? [insertSubObjects] : []),
    'commit',
    // As autovacuum does some minutes after a bulk load.
    'vacuum (analyze)',
  ];
  await onDatabase(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

export async function selectVoyageKeys(url: string, count: number): Promise<number[]> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ key: string }>('select key from flaghoist.voyage order by key limit $1', [count]),
  );
  return rows.map(({ key }) => Number(key));
}

export async function selectUserKey(url: string, clientId: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ user: string }>('select "user" from flaghoist_service.api_client where client_id = $1', [clientId]),
  );
  return Number(rows[0]!.user);
}

/** Of the changes whose comments begin with the mark. */
export async function countEvents(url: string, mark: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ count: string }>(
      `select count(*) from flaghoist_system.event
       where object_type = 'Voyage' and operation = 'U' and starts_with(new_row ->> 'comments', $1)`,
      [mark],
    ),
  );
  return Number(rows[0]!.count);
}

/** The processes of PostgreSQL that work for the service. */
export async function selectBackendPids(url: string): Promise<number[]> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'flaghoist'`,
    ),
  );
  return rows.map(({ pid }) => pid);
}

export async function createDatabase(url: string, name: string): Promise<string> {
  await onDatabase(url, (client) => client.query(`create database ${pg.escapeIdentifier(name)}`));
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function insertMasterData({ ports }: Fleet): string {
  return `
  insert into flaghoist.port (port_name, un_lo_code, country, timezone, is_canal)
    select 'Port ' || n, 'B' || to_char(n, 'FM0000'), 'NL', 'Europe/Amsterdam', false
      from generate_series(1, ${ports}) n;
  insert into flaghoist.vessel (vessel_name, imo_number, flag, built_year, dwt_summer)
    select 'Bench ' || n, '9074729', 'NL', 2000 + n % 20, 75000.5 from generate_series(1, ${vessels}) n;
  insert into flaghoist.business_partner (business_partner_name, business_partner_code, business_partner_type)
    select 'Partner ' || n, 'BENCH' || n, 'AGT' from generate_series(1, 10) n;
  insert into flaghoist.currency (currency_code, currency_name) values ('XBN', 'Bench money')
    on conflict (currency_code) do nothing;
  insert into flaghoist.commodity (commodity_code, commodity_name) values ('BENCHGOODS', 'Goods')
    on conflict (commodity_code) do nothing`;
}

/** The voyages that start in the first port are spread evenly over the table. */
function insertVoyages({ voyages, voyagesOfFirstPort }: Fleet): string {
  const every = Math.floor(voyages / voyagesOfFirstPort);
  return `
  insert into flaghoist.voyage (
    voyage_status, comments, estimated_voyage_start_date, is_tc, days_total, days_loading, days_discharging,
    miles_ballast, miles_loaded, freight, gross_freight, commission, fo_price, fo_consumption, fo_cost, vessel,
      ballast_port)
  select
    (array['EST', 'NOM', 'OPR', 'FIN', 'CLO'])[1 + n % 5], 'voyage ' || n,
      timestamp '2026-01-01' + n % 500 * interval '1 day',
    n % 2 = 0, 30.25 + n % 7, 3.5, 4.125, 1200 + n % 100, 5400, 812345.67 + n, 845000, 2.5, 512.25, 900.5, 461281.125,
    v.keys[1 + n % ${vessels}],
    case when n % ${every} = 0 and n / ${every} <= ${voyagesOfFirstPort} then p.keys[1]
      else p.keys[2 + n % (cardinality(p.keys) - 1)] end
  from generate_series(1, ${voyages}) n,
    (select array_agg(key order by key) as keys from flaghoist.vessel where vessel_name like 'Bench %') v,
    (select array_agg(key order by un_lo_code) as keys from flaghoist.port where un_lo_code like 'B0%') p`;
}

const insertSubObjects = `
  insert into flaghoist.port_call (port_call_sequence, reason_for_call, eta, etd, arrival_fixed, speed,
    days_at_sea, voyage, port, agent, currency)
    select n, (array['L', 'D', 'B', 'C'])[n], v.estimated_voyage_start_date + n * interval '3 days',
      v.estimated_voyage_start_date + n * interval '4 days', false, 12.5, 2.75, v.key, v.ballast_port,
      (select min(key) from flaghoist.business_partner), (select key from flaghoist.currency
        where currency_code = 'XBN')
    from flaghoist.voyage v, generate_series(1, 4) n;
  insert into flaghoist.event_log (event, event_log_date, is_date_fixed, port_call)
    select e, c.eta, true, c.key from flaghoist.port_call c, unnest(array['ARR', 'DEP']) e;
  insert into flaghoist.cargo (cargo_reference, cargo_type, quantity, cargo_measurement, freight_rate, is_option,
    voyage, commodity, charterer, freight_currency)
    select 'C-' || v.key, 'SPOT', 50000, 'MT', 16.25, false, v.key, (select key from flaghoist.commodity
      where commodity_code = 'BENCHGOODS'),
      (select min(key) from flaghoist.business_partner), (select key from flaghoist.currency
        where currency_code = 'XBN')
    from flaghoist.voyage v;
  insert into flaghoist.cargo_port (cargo_port_sequence, reason_for_call, quantity, cargo, port, port_call)
    select c.port_call_sequence, c.reason_for_call, 50000, g.key, c.port, c.key
    from flaghoist.cargo g join flaghoist.port_call c on c.voyage = g.voyage and c.port_call_sequence <= 2`;
