// The filters that commands on the log of notifications have in common, and how they show a notification.

import type { Client, Filter } from '@flaghoist/sdk';
import { didYouMean, quoteText } from '@flaghoist/source-text';
import { usageError } from '../command/command-error.ts';
import { parseKey } from '../command/parse-arguments.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import { findSubscription } from '../subscriptions/find-subscription.ts';

export interface FilterOptions extends ServiceOptions {
  subscription?: string;
  object?: string;
  status?: string;
}

export type NotificationFilter = Filter<'WebhookNotification'>;

const statuses = ['PENDING', 'DELIVERED', 'FAILED'];

/** Alternatives, each with filters that must all hold. */
export async function filtersOf(client: Client, options: FilterOptions): Promise<NotificationFilter[][]> {
  const { subscription, object, status } = options;
  const always: NotificationFilter[] = [
    ...(subscription === undefined
      ? []
      : [['subscription', 'EQ', await findSubscription(client, subscription)] as const]),
    ...(status === undefined ? [] : [['status', 'EQ', parseStatus(status)] as const]),
  ];
  if (object === undefined) return [always];
  const key = parseKey('--object', object);
  return [
    [...always, ['objectKey', 'EQ', key]],
    [...always, ['subscribedObjectKey', 'EQ', key]],
  ];
}

/** `more`: must hold as well. */
export function joinFilters(
  alternatives: readonly (readonly NotificationFilter[])[],
  more: readonly NotificationFilter[],
): NotificationFilter[] {
  return alternatives.flatMap((filters, index) => [...(index === 0 ? [] : ['(OR)' as const]), ...filters, ...more]);
}

function parseStatus(text: string): string {
  const status = text.toUpperCase();
  if (statuses.includes(status)) return status;
  throw usageError(
    `--status: ${quoteText(text)} is not a status; ${statuses.join(', ')}.${didYouMean(text, statuses)}`,
  );
}
