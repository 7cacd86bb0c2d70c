// Starts the loops that find trouble and send alerts about it. Without an alert URL, only owners are told, by mail.

import { openAlertChannel } from '../../channels/http/alert-channel.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Database } from '../../database/database.ts';
import { createHousekeepingLoop } from '../../database/housekeeping-loop.ts';
import type { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { sendableDays } from '../../subscriptions/channel/retry-policy.ts';
import { createAlertLoop } from './alert-loop.ts';
import { deleteOldTurns } from './outgoing-alert-table.ts';
import { createWatchBacklogLoop } from './watch-backlog-loop.ts';
import { createWatchFailingLoop } from './watch-failing-loop.ts';
import { createWatchStreamsLoop } from './watch-streams-loop.ts';

export interface AlertingParts {
  settings: Settings;
  database: Database;
  observe: Observe;
  baseUrl: string;
  version: string;
}

export interface Alerting {
  stop(deadline: AbortSignal): Promise<void>;
}

const clearEveryMs = 10 * 60_000;

export function startAlerting(parts: AlertingParts): Alerting {
  const { settings, database, observe, version } = parts;
  const { alertUrl, alertBacklogMs } = settings;
  const hasAlertUrl = alertUrl !== undefined;
  const channel = hasAlertUrl ? openAlertChannel(alertUrl, settings, version) : undefined;
  const loops: WorkLoop[] = [
    createWatchFailingLoop({ ...parts, hasAlertUrl }),
    createWatchStreamsLoop({ ...parts, daysKept: sendableDays(settings), hasAlertUrl }),
  ];
  if (channel) {
    loops.push(createAlertLoop({ ...parts, channel }));
    loops.push(createHousekeepingLoop({ database, observe, deleteSome: deleteOldTurns, everyMs: clearEveryMs }));
    if (alertBacklogMs > 0) loops.push(createWatchBacklogLoop({ ...parts, oldMs: alertBacklogMs }));
  }
  for (const loop of loops) loop.start();
  return {
    stop: async (deadline) => {
      await Promise.all(loops.map((loop) => loop.stop(deadline)));
      await channel?.close();
    },
  };
}
