// Reports to the owner of a streamed subscription, and to the alert URL, that nobody fetches its notifications, while
// there is still time: once until the consumer has caught up. Every process looks; the database decides which one reports.

import type { Database } from '../../database/database.ts';
import { type Stopping, WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { composeExpiringMail } from '../mail/compose-expiring-mail.ts';
import { type ExpiringStreamRow, forgetCaughtUp, reportExpiring, selectExpiring } from './expiring-stream-table.ts';

export interface WatchStreamsParts {
  database: Database;
  observe: Observe;
  baseUrl: string;
  /** For how many days a notification can be sent. */
  daysKept: number;
  hasAlertUrl: boolean;
}

const pollEveryMs = 10 * 60_000;

export function createWatchStreamsLoop(parts: WatchStreamsParts): WorkLoop {
  return new WorkLoop({
    round: async (loop) => {
      await reportExpiringStreams(parts, loop);
      return false;
    },
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

export async function reportExpiringStreams(parts: WatchStreamsParts, loop: Stopping): Promise<void> {
  const { database, daysKept } = parts;
  await database.run(forgetCaughtUp(daysKept));
  const rows = (await database.run(selectExpiring(daysKept))) as unknown as ExpiringStreamRow[];
  for (const row of rows) if (!loop.isStopping) await report(parts, row);
}

async function report({ database, observe, baseUrl, hasAlertUrl }: WatchStreamsParts, row: ExpiringStreamRow) {
  const { subscription, user_name, user_email: email, waiting, oldest, expires } = row;
  const user = email === null ? undefined : { name: user_name ?? '', email };
  const dates = { oldest: new Date(oldest), expires: new Date(expires) };
  const [reported] = await database.run(
    reportExpiring(subscription.key, {
      mail: user && composeExpiringMail({ subscription, user, waiting, baseUrl, ...dates }),
      facts: hasAlertUrl ? { waiting, oldest, expires } : undefined,
    }),
  );
  if (reported) observe({ kind: 'stream.expiring', subscription: subscription.key, waiting, oldest, expires });
}
