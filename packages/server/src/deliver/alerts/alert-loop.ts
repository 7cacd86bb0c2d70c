// Sends alerts to the operator's URL: at most one message per subscription and hour. Alerts that come within that hour
// follow in one summary. They are stored until they are sent or given up.

import type { AlertChannel } from '../../channels/http/alert-channel.ts';
import type { Database } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { backoffMs } from '../mail/backoff.ts';
import { wholeService } from './alert.ts';
import { type ClaimedAlertsRow, claimAlerts, postponeAlerts, recordAlertsSent } from './outgoing-alert-table.ts';
import { type AlertsToSend, renderAlerts } from './render-alert.ts';

export interface AlertLoopParts {
  database: Database;
  channel: AlertChannel;
  observe: Observe;
  baseUrl: string;
}

const pollEveryMs = 1_000;
const messagesAtOnce = 4;

/** Much longer than sending may take. */
const leaseMs = 120_000;

/** How long there is no further message about the same subscription. */
const quietMs = 3_600_000;

/** A message that is not sent when the loop stops is sent again once its lease has expired, with the same id. */
export function createAlertLoop(parts: AlertLoopParts): WorkLoop {
  return new WorkLoop({
    round: async () => {
      const rows = (await parts.database.run(claimAlerts(leaseMs, messagesAtOnce))) as unknown as ClaimedAlertsRow[];
      await Promise.all(rows.map((row) => attempt(parts, row)));
      return rows.length === messagesAtOnce;
    },
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

async function attempt({ database, channel, observe, baseUrl }: AlertLoopParts, row: ClaimedAlertsRow): Promise<void> {
  const { key, failures, alerts } = row;
  const message = renderAlerts(toSend(row), baseUrl);
  const result = await channel.send(JSON.stringify(message));
  const about = { subscription: Number(key), alert: message.kind };
  if (result.kind === 'delivered') {
    await database.run(recordAlertsSent(key, idsOf(alerts), quietMs));
    observe({ kind: 'alert.sent', ...about, alerts: alerts.length });
    return;
  }
  const givenUp = alerts.filter(({ ageMs }) => ageMs >= keptMs);
  await database.run(postponeAlerts(key, idsOf(givenUp), backoffMs(result, failures)));
  const { reason } = result;
  observe({ kind: 'alert.failed', ...about, tries: failures + 1, reason });
  if (givenUp.length > 0) observe({ kind: 'alert.givenUp', ...about, alerts: givenUp.length, reason });
}

/** A subscription may have been deleted since. */
function toSend({ key, subscription, alerts, is_more: isMore }: ClaimedAlertsRow): AlertsToSend {
  const about = Number(key) === wholeService ? null : (subscription ?? { key: Number(key), isDeleted: true as const });
  return { subscription: about, alerts, isMore };
}

function idsOf(alerts: readonly { id: string }[]): string[] {
  return alerts.map(({ id }) => id);
}

/** An older alert is out of date, so it is given up. */
const keptMs = 86_400_000;
