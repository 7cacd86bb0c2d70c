// A service with data for large responses, and two clients: an attacker and a victim.

import { join } from 'node:path';
import pg from 'pg';
import { request } from 'undici';
import { type Service, startService } from '../../bench/delivery/servers.ts';
import { authorize } from '../../bench/harness/service-client.ts';

export interface AttackWorld {
  databaseUrl: string;
  service: Service;
  victim: Record<string, string>;
  attacker: Record<string, string>;
}

export interface WorldPlan {
  voyages: number;
  /** The compiled service; undefined: this checkout. */
  dist: string | undefined;
}

export const callsPerVoyage = 20;

export async function openWorld(databaseUrl: string, folder: string, plan: WorldPlan): Promise<AttackWorld> {
  const { dist } = plan;
  const script = dist === undefined ? {} : { script: join(dist, 'main.js') };
  const service = await startService({ databaseUrl, folder, roles: 'api,worker', ...script });
  await fill(databaseUrl, plan.voyages);
  const admin = await authorize(service.origin);
  return {
    databaseUrl,
    service,
    victim: await makeClient(service.origin, admin, 'victim', ['read']),
    attacker: await makeClient(service.origin, admin, 'attacker', ['read', 'write']),
  };
}

/** Written without triggers, so that these make no notifications. */
async function fill(databaseUrl: string, voyages: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`
      set session_replication_role = replica;
      insert into flaghoist.vessel (vessel_name, vessel_type) values ('Measured', repeat('x', 3000));
      insert into flaghoist.voyage (vessel, comments)
        select (select max(key) from flaghoist.vessel), repeat('comment ', 8) from generate_series(1, ${voyages});
      insert into flaghoist.port_call (voyage, port, reason_for_call, port_call_sequence, eta, etb, etd, speed)
        select v.key, (select min(key) from flaghoist.port), 'L', n, now(), now(), now(), 12.5
        from flaghoist.voyage v, generate_series(1, ${callsPerVoyage}) n;
      analyze;`);
  } finally {
    await client.end();
  }
}

async function makeClient(
  origin: string,
  admin: Record<string, string>,
  name: string,
  scopes: string[],
): Promise<Record<string, string>> {
  const user = await post(`${origin}/ws/rest/ApiUser`, admin, { userCode: name, name });
  const made = await post(`${origin}/ws/rest/ApiClient`, admin, { user: user.key, scopes });
  const token = await post(
    `${origin}/oauth/token`,
    {},
    {
      client_id: made.clientId,
      client_secret: made.clientSecret,
      audience: 'https://flaghoist.dev',
      grant_type: 'client_credentials',
    },
  );
  return { authorization: `Bearer ${String(token.access_token)}` };
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<Record<string, unknown>> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`POST ${url}: ${answer.statusCode} ${text}`);
  return JSON.parse(text);
}
