// The subscriptions that fail most, as of the last half minute.

import type { Database } from '../../database/database.ts';
import { RecentReading } from '../../database/recent-reading.ts';
import type { FailingSubscription } from '../../observe/failing-subscription.ts';
import { readFailing, selectFailing } from './failing-table.ts';

/** With 100,000 subscriptions, all their counts of the last hour are read. */
const keptMs = 30_000;

export class RecentFailing extends RecentReading<FailingSubscription[]> {
  constructor(database: Pick<Database, 'run'>, subscriptionsMax: number) {
    super(keptMs, async () =>
      subscriptionsMax === 0 ? [] : readFailing(await database.run(selectFailing(subscriptionsMax))),
    );
  }
}
