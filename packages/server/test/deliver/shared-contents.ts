// What is stored of bodies that share a content, and subscriptions in large numbers, for tests.

import type pg from 'pg';

export interface StoredBody {
  key: number;
  subscription: number;
  /** Null: the body is stored whole. */
  contentKey: number | null;
  /** As the API returns it. */
  body: string;
}

export async function storedBodies(pool: pg.Pool, subscriptions: readonly number[]): Promise<StoredBody[]> {
  const { rows } = await pool.query(
    `select n.key::int, n.subscription::int, b.content_key::int as "contentKey", flaghoist_system.body(n.key) as body
     from flaghoist_service.webhook_notification n
     join flaghoist_system.notification_body b on b.notification_key = n.key and b.created_date = n.created_date
     where n.subscription = any($1) order by n.key`,
    [subscriptions],
  );
  return rows;
}

export async function countContents(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('select count(*)::int as n from flaghoist_system.notification_content');
  return rows[0].n;
}

/** Subscriptions like this one. */
export async function copySubscription(pool: pg.Pool, key: number, count: number): Promise<number[]> {
  const { rows } = await pool.query(
    `insert into flaghoist_service.webhook_subscription
     select r.* from flaghoist_service.webhook_subscription s
     cross join lateral (
       select nextval('flaghoist.object_key') as key from generate_series(1, $2) offset 0) k
     cross join lateral jsonb_populate_record(null::flaghoist_service.webhook_subscription,
       to_jsonb(s) || jsonb_build_object('key', k.key)) r
     where s.key = $1 returning key::int`,
    [key, count],
  );
  return rows.map((row) => row.key);
}
