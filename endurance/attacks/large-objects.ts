// Single objects that are large or far too large, and requests for them: selections that multiply, files, long texts, a
// collection with very many elements, and an array POST whose response would be too large.

import pg from 'pg';
import type { AttackRequest } from './attackers.ts';

export interface LargeObjects {
  /** Voyages with 150 and 300 port calls, and as many cargos. */
  wide: number;
  tooWide: number;
  /** With 15,000 port calls. */
  long: number;
  /** With a text of 15 MB, and an attachment of 11 MB. */
  remarks: number;
  attachment: number;
}

export async function addLargeObjects(databaseUrl: string): Promise<LargeObjects> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    const voyages = { wide: await addVoyage(client, 150, 150), tooWide: await addVoyage(client, 300, 300) };
    const long = await addVoyage(client, 15_000, 0);
    const { rows } = await client.query(
      `with r as (insert into flaghoist.remarks (source, remark_text)
         values ($1, repeat('x', 15 * 1048576)) returning key),
       a as (insert into flaghoist.attachment (remarks, file_name, file)
         select key, 'file', convert_to(repeat('flaghoist', 11 * 1048576 / 9), 'UTF8') from r returning key, remarks)
       select remarks::int as remarks, key::int as attachment from a`,
      [long],
    );
    await client.query('analyze');
    return { ...voyages, long, ...rows[0] };
  } finally {
    await client.end();
  }
}

async function addVoyage(client: pg.Client, calls: number, cargos: number): Promise<number> {
  const { rows } = await client.query(
    `with v as (insert into flaghoist.voyage default values returning key),
     c as (insert into flaghoist.port_call (voyage, port, reason_for_call, port_call_sequence)
       select v.key, (select min(key) from flaghoist.port), 'L', n from v, generate_series(1, $1) n),
     g as (insert into flaghoist.cargo (voyage, commodity, charterer, freight_currency, cargo_measurement)
       select v.key, (select min(key) from flaghoist.commodity), (select min(key) from flaghoist.vessel),
         (select min(key) from flaghoist.currency), 'MT'
       from v, generate_series(1, $2))
     select key::int from v`,
    [calls, cargos],
  );
  return rows[0].key;
}

const portCallsInArray = 1000;

export function largeRequests({ wide, tooWide, long, remarks, attachment }: LargeObjects): AttackRequest[] {
  const one = (type: string, key: number, fields?: string) => ({
    path: `/ws/rest/${type}/${key}${fields === undefined ? '' : `?fields=${encodeURIComponent(fields)}`}`,
  });
  const multiplied = '{"portCalls":{"voyage":{"cargos":"*"}}}';
  const calls = Array.from({ length: portCallsInArray }, () => ({ voyage: wide, port: 'NLRTM', reasonForCall: 'L' }));
  return [
    one('Voyage', wide, multiplied),
    one('Voyage', tooWide, multiplied),
    one('Attachment', attachment, '{"file":"*"}'),
    one('Voyage', long),
    one('Remarks', remarks),
    {
      path: `/ws/rest/PortCall?fields=${encodeURIComponent('{"voyage":{"cargos":"*"}}')}`,
      body: JSON.stringify(calls),
    },
  ];
}
