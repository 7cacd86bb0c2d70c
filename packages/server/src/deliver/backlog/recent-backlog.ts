// The backlog of the last few seconds. Without it, the other metrics are returned.

import type { Database } from '../../database/database.ts';
import { RecentReading } from '../../database/recent-reading.ts';
import type { Backlog } from '../../observe/backlog.ts';
import { readBacklog, selectBacklog } from './backlog-table.ts';

const keptMs = 5_000;

export class RecentBacklog extends RecentReading<Backlog> {
  constructor(database: Pick<Database, 'run'>) {
    super(keptMs, async () => readBacklog(await database.run(selectBacklog())));
  }
}
