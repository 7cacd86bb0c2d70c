// `flaghoist status`: whether the service is ready, and how the caller's subscriptions are.

import { FlaghoistError } from '@flaghoist/sdk';
import { CommandError } from '../command/command-error.ts';
import { parseSince } from '../command/parse-arguments.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import { type Connection, connect } from '../connection/connect.ts';
import { printResult, renderRows } from '../terminal/output.ts';

interface Status {
  url: string;
  clientId: string;
  status: string;
  /** Null if the client may not see them. */
  subscriptions: Record<'active' | 'deactivated', number> | null;
  deactivated: { key: number; name: string | null; stateReason: string | null }[];
  /** Failed: of the last 24 hours. */
  notifications: Record<'pending' | 'failed', number> | null;
}

export async function printStatus(options: ServiceOptions): Promise<void> {
  const connection = await connect(options, { retries: 0 });
  const status = await readStatus(connection);
  printResult(options, status, renderStatus(status));
  if (status.status !== 'ready') throw new CommandError('The service is not ready.');
}

async function readStatus(connection: Connection): Promise<Status> {
  const { client, url, clientId } = connection;
  const status = await readHealth(url);
  const base = { url, clientId, status, subscriptions: null, deactivated: [], notifications: null };
  if (status !== 'ready') return base;
  try {
    const day = parseSince('24h', '24h', new Date());
    const [active, deactivated, pending, failed] = await Promise.all([
      client.count('WebhookSubscription', { filter: [['state', 'EQ', 'ACTIVE']] }),
      client.page('WebhookSubscription', {
        filter: [['state', 'EQ', 'DEACTIVATED']],
        fields: { name: '*', stateReason: '*' },
        limit: 20,
      }),
      client.count('WebhookNotification', { filter: [['status', 'EQ', 'PENDING']] }),
      client.count('WebhookNotification', {
        filter: [
          ['status', 'EQ', 'FAILED'],
          ['eventTime', 'GTE', day],
        ],
      }),
    ]);
    return {
      ...base,
      subscriptions: { active, deactivated: deactivated.total! },
      deactivated: deactivated.objects.map(({ key, name, stateReason }) => ({ key, name, stateReason })),
      notifications: { pending, failed },
    };
  } catch (error) {
    // Without the scope `webhook`.
    if (error instanceof FlaghoistError && error.status === 403) return base;
    throw error;
  }
}

async function readHealth(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) });
    const body = (await response.json()) as { status?: string; message?: string };
    return response.ok ? (body.status ?? 'unknown') : (body.message ?? `answers ${response.status}`);
  } catch (error) {
    const { message, cause } = error as { message: string; cause?: { message?: string } };
    return `not reachable: ${cause?.message || message}`;
  }
}

function renderStatus({ url, clientId, status, subscriptions, deactivated, notifications }: Status): string {
  return (
    renderRows([
      ['Service', url],
      ['Client', clientId],
      ['Status', status],
      ...(subscriptions
        ? [['Subscriptions', `${subscriptions.active} active, ${subscriptions.deactivated} deactivated`] as const]
        : []),
      ...(notifications
        ? [['Notifications', `${notifications.pending} pending, ${notifications.failed} failed in 24 hours`] as const]
        : []),
    ]) +
    deactivated
      .map(({ key, name, stateReason }) =>
        renderRows([[`Deactivated: ${key}${name === null ? '' : ` (${name})`}`, stateReason]]),
      )
      .join('')
  );
}
