// All SQL of the rates of subscriptions. All processes reserve slots, moments at which an attempt may start, in one
// table and by the clock of the database, so that together they stay within the rate.

import { numberArray } from '../../database/array-parameter.ts';
import type { Row, Statement } from '../../database/database.ts';

export interface WantedSlots {
  subscriptionKey: number;
  /** At most so many; at least one is reserved. */
  count: number;
  /**
   * The process has not used its last slots: how long from now until the slot after them. If no other process has
   * reserved that one, the new slots start now.
   */
  unusedUntilMs?: number | undefined;
}

export interface ReservedSlots {
  subscriptionKey: number;
  ratePerSecond: number;
  /** How many, one after the other at the rate. */
  count: number;
  /** Until the first one; negative if its time has passed. */
  delayMs: number;
}

/** Slots that a process does not use are lost, so it gets a few at a time. */
const reservedSeconds = 0.5;
/**
 * A process reserves more slots when it has used up the last ones. If its request comes late by no more than this, the
 * slots continue without a gap, or the rate would be missed by the time of each request.
 */
const lateSeconds = 0.25;
/** All processes together have fewer reservations ahead of the clock. More means that the clock was set back. */
const reservationsAhead = 30;
const longAgoMs = -1e12;

/**
 * Returns a row for each subscription that has a rate (`readReserved`). The rate is read here and not passed, because
 * processes notice a change of it at different times. After a change, the slots start anew.
 *
 * Rows are locked in the order of their keys, so that no two statements wait for each other.
 */
export function reserveSlots(wanted: readonly WantedSlots[]): Statement {
  return {
    text: reserveText,
    values: [
      numberArray(wanted.map(({ subscriptionKey }) => subscriptionKey)),
      numberArray(wanted.map(({ count }) => count)),
      reservedSeconds,
      lateSeconds,
      reservationsAhead,
      numberArray(wanted.map(({ unusedUntilMs }) => unusedUntilMs ?? longAgoMs)),
    ],
  };
}

const reserveText = `with wanted as materialized (
  select s."key", r.rate, c.slots, c.slots / r.rate * interval '1 second' as length,
    now() + (w.unused_ms / 1000 + $4::float8) * interval '1 second' as unused_until
  from unnest($1::bigint[], $2::int[], $6::float8[]) as w ("key", slots, unused_ms)
  join flaghoist_service.webhook_subscription s on s."key" = w."key"
  cross join lateral (select s.rate_per_second::float8 as rate) r
  cross join lateral (select greatest(1, least(w.slots, ceil(r.rate * $3::float8))) as slots) c
  where r.rate is not null),
reserved as (
  insert into flaghoist_system.delivery_rate as d (subscription_key, per_second, next_at)
  select "key", rate, now() + length from wanted order by "key"
  on conflict (subscription_key) do update set per_second = excluded.per_second,
    next_at = excluded.next_at - now() + case
      when d.per_second <> excluded.per_second or d.next_at < now() - $4::float8 * interval '1 second'
        or d.next_at <= (select w.unused_until from wanted w where w."key" = d.subscription_key) then now()
      else least(d.next_at,
        now() + $5::int * greatest($3::float8, 1 / excluded.per_second) * interval '1 second') end
  returning subscription_key, next_at)
select w."key"::text, w.rate, w.slots,
  (extract(epoch from r.next_at - w.length - clock_timestamp()) * 1000)::float8 as delay_ms
from wanted w join reserved r on r.subscription_key = w."key"`;

export function readReserved({ key, rate, slots, delay_ms: delayMs }: Row): ReservedSlots {
  return {
    subscriptionKey: Number(key),
    ratePerSecond: Number(rate),
    count: Number(slots),
    delayMs: Number(delayMs),
  };
}

/** A subscription that has not sent lately starts anew, so its row can go. */
export function deleteUnusedRates(): Statement {
  return {
    text: "delete from flaghoist_system.delivery_rate where next_at < now() - interval '1 hour'",
    values: [],
  };
}
