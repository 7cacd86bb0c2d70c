// What the console asks for: lists of notifications by each of its filters, newest first and without the count; lists
// of subscriptions with their count and health; one object of each. The expected number of rows is counted by a
// condition that is written on its own.

import type pg from 'pg';
import { onDatabase } from '../rest/fleet-table.ts';

export interface ConsoleList {
  name: string;
  path: string;
  headers: Record<string, string>;
  /** How many objects the response has; undefined: it is one object. */
  rows: number | undefined;
  /** How many it says there are in all; undefined: it does not count. */
  total?: number;
}

export const plainList = 'no filter';

const limit = 100;
const hour = 3_600_000;
const day = 24 * hour;

const selected = (fields: Record<string, unknown>) => ({ fields: JSON.stringify(fields) });

const notificationHeaders = {
  noCount: 'YES',
  ...selected({
    id: '*',
    createdDate: '*',
    subscription: { name: '*' },
    objectType: '*',
    objectKey: '*',
    eventType: '*',
    subscribedObjectKey: '*',
    subscribedObjectCode: '*',
    sequence: '*',
    occurredAt: '*',
    status: '*',
    attempts: '*',
    deliveryDate: '*',
    nextAttemptDate: '*',
    errorMessage: '*',
  }),
};

const subscriptionHeaders = selected({
  name: '*',
  eventTypes: '*',
  user: { userCode: '*' },
  url: '*',
  channelInfo: '*',
  state: '*',
  stateReason: '*',
  failingSince: '*',
  shapingError: '*',
});

interface Samples {
  big: number;
  small: number;
  voyage: number;
  referenceNo: number;
  vessel: number;
  newest: number;
  id: string;
  user: number;
}

/** `days`: how many days the log has. */
export async function planLists(url: string, days: number): Promise<ConsoleList[]> {
  return await onDatabase(url, async (client) => {
    const { rows } = await client.query<Record<keyof Samples, string>>(selectSamples);
    const samples = rows[0]!;
    const lists: ConsoleList[] = [];
    for (const { name, filters, where } of notificationLists(samples, days)) {
      const path = `/ws/rest/WebhookNotification?${new URLSearchParams([...filtersOf(filters), ...newestFirst])}`;
      const rows = await countRows(client, 'webhook_notification', where, limit);
      lists.push({ name, path, headers: notificationHeaders, rows });
    }
    for (const { name, filters, where } of subscriptionLists(samples)) {
      const query = [...filtersOf(filters), ...byKey];
      const path = `/ws/rest/WebhookSubscription?${new URLSearchParams(query)}`;
      const total = await countRows(client, 'webhook_subscription', where, null);
      lists.push({ name, path, headers: subscriptionHeaders, rows: Math.min(total, limit), total });
    }
    const healthy = await newestSubscriptions(client);
    const health = `/ws/rest/WebhookSubscription/health?subscriptions=${healthy.join(',')}`;
    return [
      ...lists,
      { name: 'health of one page of subscriptions', path: health, headers: {}, rows: healthy.length },
      { ...single, name: 'one notification', path: `/ws/rest/WebhookNotification/${samples.newest}` },
      { ...single, name: 'one subscription', path: `/ws/rest/WebhookSubscription/${samples.small}` },
    ];
  });
}

const single = { headers: {}, rows: undefined };

type Parameters = [name: string, value: string][];

const filtersOf = (filters: readonly string[]): Parameters => filters.map((filter) => ['filter', filter]);

const firstPage: Parameters = [
  ['limit', String(limit)],
  ['pageNumber', '1'],
];

const byKey: Parameters = [['sort', 'key(DS)'], ...firstPage];

const newestFirst: Parameters = [['sort', 'createdDate(DS)'], ['sort', 'key(DS)'], ...firstPage];

async function newestSubscriptions(client: pg.Client): Promise<number[]> {
  const text = `select key::int from flaghoist_service.webhook_subscription order by key desc limit ${limit}`;
  return (await client.query<{ key: number }>(text)).rows.map(({ key }) => key);
}

/** `max`: counts no further; null: counts all. */
async function countRows(client: pg.Client, table: string, where: string, max: number | null): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from (select from flaghoist_service.${table} n where ${where} limit ${max}) n`,
  );
  return rows[0]!.count;
}

interface Planned {
  name: string;
  filters: string[];
  /** The same as SQL. */
  where: string;
}

const selectSamples = `
select min(s.key) as big, max(s.key) as small, v.key as voyage, v.reference_no as "referenceNo",
  (select max(key) from flaghoist_service.webhook_notification) as newest,
  (select id from flaghoist_service.webhook_notification order by key offset 1000 limit 1) as id,
  (select key from flaghoist_service.api_user where user_code = 'user-3') as "user"
from flaghoist_service.webhook_subscription s, (select key, reference_no from flaghoist.voyage order by key
  offset 77 limit 1) v where s.name like 'Berth %' group by v.key, v.reference_no`;

function notificationLists(samples: Record<keyof Samples, string>, days: number): Planned[] {
  const { big, small, voyage, referenceNo, id, user } = samples;
  const at = (msAgo: number) => new Date(Date.now() - msAgo).toISOString().slice(0, 19);
  const [from, to] = [at((days / 2) * day), at((days / 2) * day - hour)];
  const recent = at(hour);
  const plan = (name: string, filters: string[], where: string): Planned => ({ name, filters, where });
  return [
    plan(plainList, [], 'true'),
    plan('status PENDING', ['status(EQ)PENDING'], "status = 'PENDING'"),
    plan('status FAILED', ['status(EQ)FAILED'], "status = 'FAILED'"),
    plan('a subscription with a fifth of all', [`subscription(EQ)${big}`], `subscription = ${big}`),
    plan('a subscription with few', [`subscription(EQ)${small}`], `subscription = ${small}`),
    plan(
      'a subscription with a fifth of all, FAILED',
      [`subscription(EQ)${big}`, 'status(EQ)FAILED'],
      `subscription = ${big} and status = 'FAILED'`,
    ),
    plan(
      'a subscription by name',
      ['subscription.name(EQ)Berth 42'],
      "subscription = (select key from flaghoist_service.webhook_subscription where name = 'Berth 42')",
    ),
    plan('a user', [`user(EQ)${user}`], `"user" = ${user}`),
    plan('a user, FAILED', [`user(EQ)${user}`, 'status(EQ)FAILED'], `"user" = ${user} and status = 'FAILED'`),
    plan('a frequent type', ['objectType(EQ)PortCall'], "object_type = 'PortCall'"),
    plan('a rare type', ['objectType(EQ)Cargo'], "object_type = 'Cargo'"),
    plan('a rare event', ['eventType(EQ)D'], "event_type = 'D'"),
    plan(
      'a rare type and event',
      ['objectType(EQ)Cargo', 'eventType(EQ)D'],
      "object_type = 'Cargo' and event_type = 'D'",
    ),
    plan(
      'an object, changed or subscribed to',
      [`objectKey(EQ)${voyage}`, '(OR)', `subscribedObjectKey(EQ)${voyage}`],
      `object_key = ${voyage} or subscribed_object_key = ${voyage}`,
    ),
    plan('a voyage by its number', [`subscribedObjectCode(EQ)${referenceNo}`], `subscribed_object_key = ${voyage}`),
    plan('the last hour', [`createdDate(GTE)${recent}`], `created_date >= '${recent}'`),
    plan(
      'an hour in the middle',
      [`createdDate(BETWEEN)(${from},${to})`],
      `created_date between '${from}' and '${to}'`,
    ),
    plan('a frequent text in the error', ['errorMessage(ILIKE)%15 SECONDS%'], "error_message ilike '%15 seconds%'"),
    plan('a rare text in the error', ['errorMessage(ILIKE)%Certificate%'], "error_message ilike '%certificate%'"),
    plan('no such text in any error', ['errorMessage(ILIKE)%no such text%'], 'false'),
    plan('the id of a message', [`id(EQ)${id}`], `id = '${id}'`),
  ];
}

function subscriptionLists({ user }: Record<keyof Samples, string>): Planned[] {
  return [
    { name: 'subscriptions', filters: [], where: 'true' },
    { name: 'subscriptions, part of the name', filters: ['name(ILIKE)%RTH 99%'], where: "name ilike '%rth 99%'" },
    { name: 'subscriptions, deactivated', filters: ['state(EQ)DEACTIVATED'], where: "state = 'DEACTIVATED'" },
    { name: 'subscriptions of a user', filters: [`user(EQ)${user}`], where: `"user" = ${user}` },
    { name: 'subscriptions, failing', filters: ['failingSince(NOTNULL)'], where: 'false' },
  ];
}
