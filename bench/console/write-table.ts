// All SQL of measuring what the indexes of lists cost.

import { numberArray } from '../../packages/server/src/database/array-parameter.ts';
import { declaredIndexes } from '../../packages/server/src/database/tables/object-table-ddl.ts';
import { buildModel } from '../../packages/server/src/model/build-model.ts';
import { catalogue } from '../../packages/server/src/model/catalogue/catalogue.ts';
import { inBulk } from '../matching/matching-table.ts';
import { onDatabase } from '../rest/fleet-table.ts';

const log = buildModel(catalogue).types.get('WebhookNotification')!;

/** Those that the type declares, and those of the keys of objects. */
export async function dropListIndexes(url: string): Promise<void> {
  const declared = declaredIndexes(log).map((statement) => /"[^"]+"/.exec(statement)![0]);
  const ofKeys = ['object_key', 'subscribed_object_key'].map((column) => `"webhook_notification__${column}__index"`);
  await onDatabase(url, async (client) => {
    for (const name of [...declared, ...ofKeys]) await client.query(`drop index flaghoist_service.${name}`);
  });
}

/** One active subscription to all voyages for each receiver. The others stay, and match nothing. */
export async function subscribeReceivers(url: string, receivers: readonly string[]): Promise<void> {
  await onDatabase(url, async (client) => {
    await inBulk(client, async () => {
      await client.query(insertReceivers, [receivers]);
    });
    // The log of the seed has notifications that nobody sends.
    await client.query('delete from flaghoist_system.pending_notification');
    await client.query(
      'vacuum (analyze) flaghoist_system.pending_notification, flaghoist_service.webhook_subscription',
    );
  });
}

const insertReceivers = `
insert into flaghoist_service.webhook_subscription (event_types, event_type, object_type, operation, name, url,
  channel_info, "user", created_snapshot)
select '{Voyage.U}', 'Voyage.U', 'Voyage', 'U', 'Receiver', url,
  jsonb_build_object('channelType', 'HTTP', 'URL', url),
  (select min(key) from flaghoist_service.api_user where user_code like 'user-%'), '3:303:'
from unnest($1::text[]) url`;

/** Voyages that no other subscription is for, each in a transaction of its own. */
export async function changeVoyages(
  url: string,
  { mark, made, count }: { mark: string; made: number; count: number },
): Promise<void> {
  await onDatabase(url, async (client) => {
    const { rows } = await client.query<{ key: string }>(
      `select key from flaghoist.voyage order by key desc limit $1`,
      [count],
    );
    const keys = rows.map(({ key }) => Number(key));
    for (let from = 0; from < keys.length; from += changedAtOnce)
      await client.query(`update flaghoist.voyage set comments = $2 where key = any($1::bigint[])`, [
        numberArray(keys.slice(from, from + changedAtOnce)),
        `${mark} ${made}`,
      ]);
  });
}

const changedAtOnce = 50;

export async function countDelivered(url: string, mark: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) => client.query<{ count: number }>(countDeliveredText, [mark]));
  return rows[0]!.count;
}

const countDeliveredText = `
select count(*)::int as count from flaghoist_service.webhook_notification n
join flaghoist_service.webhook_subscription s on s.key = n.subscription and s.name = 'Receiver'
where n.status = 'DELIVERED' and n.attempts = 1 and exists (select from flaghoist_system.event e
  where e.id = n.sequence and starts_with(e.new_row ->> 'comments', $1))`;
