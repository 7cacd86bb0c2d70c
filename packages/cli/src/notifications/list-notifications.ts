// `flaghoist notification list`.

import { parseCount, parseSince } from '../command/parse-arguments.ts';
import { connect } from '../connection/connect.ts';
import { printResult, renderTable } from '../terminal/output.ts';
import { type FilterOptions, filtersOf, joinFilters } from './notification-filters.ts';

export async function listNotifications(options: FilterOptions & { since?: string; limit: string }): Promise<void> {
  const limit = parseCount('--limit', options.limit);
  const since = options.since === undefined ? undefined : parseSince('--since', options.since, new Date());
  const { client } = await connect(options);
  const { objects } = await client.page('WebhookNotification', {
    filter: joinFilters(await filtersOf(client, options), since === undefined ? [] : [['eventTime', 'GTE', since]]),
    sort: ['createdDate(DS)', 'key(DS)'],
    limit,
    noCount: true,
  });
  const rows = objects.map((one) => [
    one.key,
    one.eventTime,
    one.subscription.key,
    `${one.objectType}.${one.eventType}`,
    one.objectKey,
    one.subscribedObjectKey,
    one.status,
    one.attempts,
    one.errorMessage,
  ]);
  const head = ['key', 'eventTime', 'subscription', 'change', 'object', 'about', 'status', 'attempts', 'error'];
  printResult(options, objects, rows.length === 0 ? 'There are no such notifications.\n' : renderTable(head, rows));
}
