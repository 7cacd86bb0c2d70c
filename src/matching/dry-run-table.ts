// All SQL of dry runs: a subscription as it is saved, and an object as an event would show it.

import type { Statement } from '../database/database.ts';
import { tableOf } from '../database/identifiers.ts';
import type { ObjectType } from '../model/object-type.ts';
import { type SubscriptionRow, subscriptionColumns } from '../subscriptions/subscription-table.ts';

export interface TestedRow extends SubscriptionRow {
  url: string;
  /** JSON. */
  channel_info: string;
}

export function selectTested(key: number): Statement {
  return {
    text: `select ${subscriptionColumns}, s.url, s.channel_info::text as channel_info
from flaghoist_service.webhook_subscription s where s.key = $1::bigint`,
    values: [key],
  };
}

/** Answers `row`: without files and hidden columns, as the triggers write it. */
export function selectImage(type: ObjectType, key: number): Statement {
  const left = [...type.scalars.filter(({ kind }) => kind === 'binary'), ...type.hidden].map(({ column }) => column);
  return {
    text: `select (to_jsonb(t) - $2::text[])::text as "row" from ${tableOf(type)} t where t.key = $1::bigint`,
    values: [key, left],
  };
}
