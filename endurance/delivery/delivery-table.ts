// All SQL of the delivery endurance: what is still to be done, and the state of every notification.

import type pg from 'pg';
import type { OldestWaiting } from '../stalls/idle-watch.ts';

type Ask = <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>;

export interface Left {
  events: number;
  pending: number;
  claimed: number;
  /** Ended subscriptions whose pending notifications are not failed yet. */
  ended: number;
  mails: number;
}

export async function selectLeft(ask: Ask): Promise<Left> {
  const [row] = await ask<Record<keyof Left, number>>(
    `select (select count(*) from flaghoist_system.unmatched_event)::int as events,
       (select count(*) from flaghoist_system.pending_notification)::int as pending,
       (select count(*) from flaghoist_system.pending_notification where claimed_by is not null)::int as claimed,
       (select count(*) from flaghoist_system.ended_subscription)::int as ended,
       (select count(*) from flaghoist_system.outgoing_mail)::int as mails`,
  );
  return row!;
}

/**
 * The oldest event, and the oldest notification for one of the receivers at `urls`, that any worker could claim now.
 * Includes claims of workers whose lease has expired.
 */
export async function selectOldestWaiting(ask: Ask, urls: readonly string[]): Promise<OldestWaiting> {
  const [row] = await ask<OldestWaiting>(
    `select (select min(event_id) from flaghoist_system.unmatched_event where not_before is null)::text as matching,
       (select min(p.notification_key) from flaghoist_system.pending_notification p
         join flaghoist_service.webhook_subscription s on s.key = p.subscription_key
         where p.due_at is null and s.state = 'ACTIVE' and s.url = any($1) and not exists (
           select from flaghoist_system.delivery_worker w where w.id = p.claimed_by
             and w.alive_until >= now()))::text as delivery`,
    [urls],
  );
  return row!;
}

/** How many events are unmatched, and how many notifications are pending for the receivers at `urls`. */
export async function countLeftFor(ask: Ask, urls: readonly string[]): Promise<number> {
  const [row] = await ask<{ count: number }>(
    `select ((select count(*) from flaghoist_system.unmatched_event)
       + (select count(*) from flaghoist_system.pending_notification p
         join flaghoist_service.webhook_subscription s on s.key = p.subscription_key
           where s.url = any($1)))::int as count`,
    [urls],
  );
  return row!.count;
}

export interface NotificationRecord {
  id: string;
  subscription: number;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  error: string | null;
  attempts: number;
  /** Number of attempts in the log. */
  logged: number;
  /** Of the body. */
  digest: string | null;
}

export async function selectRecords(ask: Ask): Promise<NotificationRecord[]> {
  return await ask<NotificationRecord>(
    `select n.id, n.subscription::int as subscription, n.status, n.error_message as error, n.attempts,
       coalesce(jsonb_array_length(n.attempt_log), 0) as logged, md5(flaghoist_system.body(n.key)) as digest
     from flaghoist_service.webhook_notification n`,
  );
}

export interface SubscriptionRecord {
  key: number;
  url: string;
  state: 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';
  doNotUnsubscribe: boolean;
  /** By the clock of the database and machine: how often, and when last, the subscription was deactivated. */
  deactivations: number;
  deactivatedMs: number | null;
}

export async function selectSubscriptions(ask: Ask): Promise<SubscriptionRecord[]> {
  return await ask<SubscriptionRecord>(
    `select s.key::int, s.url, s.state, s.do_not_unsubscribe as "doNotUnsubscribe", coalesce(a.count,
  0)::int as deactivations,
       a.at_ms::float8 as "deactivatedMs"
     from flaghoist_service.webhook_subscription s
     left join (select object_key, count(*), max(extract(epoch
       from created_date at time zone 'utc')) * 1000 + 1000 as at_ms
       from flaghoist_service.audit_log
       where object_type = 'WebhookSubscription' and action = 'CHANGE' and changes -> 'state' ->> 1 = 'DEACTIVATED'
         group by 1) a
     on a.object_key = s.key`,
  );
}

/** Alerts that are not sent yet, by subscription. */
export async function selectAlerts(ask: Ask): Promise<string[]> {
  return (
    await ask<{ id: string }>(`select coalesce(mail ->> 'id', mail::text) as id from flaghoist_system.outgoing_mail`)
  ).map(({ id }) => id);
}

/** Every event before the first is matched; none after the second exists yet. */
export async function selectHorizon(ask: Ask): Promise<{ matched: number; last: number }> {
  const [row] = await ask<{ matched: number; last: number }>(
    `select coalesce((select min(event_id) from flaghoist_system.unmatched_event), max(id), 0)::int as matched,
  coalesce(max(id), 0)::int as last
     from flaghoist_system.event`,
  );
  return row!;
}

/** Claims of workers with an expired lease. */
export async function countOverdueClaims(ask: Ask): Promise<number> {
  const [row] = await ask<{ count: number }>(
    `select count(*)::int from flaghoist_system.pending_notification p where p.claimed_by is not null
       and not exists (select from flaghoist_system.delivery_worker w where w.id = p.claimed_by
         and w.alive_until >= now())`,
  );
  return row!.count;
}

export async function setAlertAddress(ask: Ask): Promise<void> {
  await ask(`update flaghoist_service.api_user set email = 'owner@fleet.example'`);
}

/** For tables that were just filled. Otherwise the server plans for empty ones. */
export async function analyze(ask: Ask): Promise<void> {
  await ask('analyze');
}
