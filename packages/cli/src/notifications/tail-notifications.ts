// `flaghoist notification tail`: shows each notification when it is created and whenever its status changes.

import { setTimeout as sleep } from 'node:timers/promises';
import { FlaghoistError } from '@flaghoist/sdk';
import { printable } from '@flaghoist/source-text';
import { parseSince } from '../command/parse-arguments.ts';
import { type Connection, connect } from '../connection/connect.ts';
import { type Paint, paintFor } from '../terminal/colours.ts';
import { type FilterOptions, filtersOf, joinFilters, type NotificationFilter } from './notification-filters.ts';

const pollEveryMs = 1_000;
/** Transactions that are committed late still show. */
const overlap = '30s';

export async function tailNotifications(options: FilterOptions): Promise<void> {
  const connection = await connect(options);
  const alternatives = await filtersOf(connection.client, options);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  process.stdout.on('error', () => stop.abort());
  const isJson = options.json ?? process.stdout.isTTY !== true;
  const paint = paintFor(process.stdout);
  const seen = new Map<number, string>();
  let isAway = false;
  for (let isFirst = true; !stop.signal.aborted; ) {
    try {
      for (const notification of await readRecent(connection, alternatives)) {
        const state = `${notification.status} ${notification.attempts}`;
        if (seen.get(notification.key) === state) continue;
        seen.set(notification.key, state);
        if (isFirst) continue;
        process.stdout.write(isJson ? `${JSON.stringify(notification)}\n` : renderLine(notification, paint));
      }
      if (isAway) process.stderr.write('Connected again.\n');
      isAway = false;
      isFirst = false;
    } catch (error) {
      if (!(error instanceof FlaghoistError) || (error.status !== 0 && error.status < 500)) throw error;
      if (!isAway) process.stderr.write(`Connection lost: ${error.message}\n`);
      isAway = true;
    }
    await sleep(pollEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

type Shown = Awaited<ReturnType<typeof readRecent>>[number];

/** Those that were created or changed a short time ago, oldest first. */
async function readRecent({ client }: Connection, alternatives: NotificationFilter[][]) {
  const since = parseSince(overlap, overlap, new Date());
  const recent: NotificationFilter[] = [['modifiedDate', 'GTE', since]];
  const { objects } = await client.page('WebhookNotification', {
    filter: joinFilters(alternatives, recent),
    sort: ['key(DS)'],
    limit: 1000,
    noCount: true,
  });
  return objects.reverse();
}

const colours = { PENDING: 'yellow', DELIVERED: 'green', FAILED: 'red' } as const;

function renderLine(notification: Shown, paint: Paint): string {
  const { key, subscription, objectType, eventType, objectKey, subscribedObjectKey, status, attempts } = notification;
  const { errorMessage, occurredAt } = notification;
  const about = subscribedObjectKey === objectKey ? '' : ` (about ${subscribedObjectKey})`;
  const columns = [
    paint('grey', occurredAt.slice(11, 19)),
    String(key),
    `subscription ${subscription.key}`,
    paint('cyan', `${objectType}.${eventType}`),
    `${objectKey}${about}`,
    paint(colours[status], status.padEnd(9)),
    `#${attempts}`,
    printable(errorMessage ?? ''),
  ];
  return `${columns.join('  ').trimEnd()}\n`;
}
