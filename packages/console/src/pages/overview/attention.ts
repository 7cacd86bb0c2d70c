// What needs the attention of a person: subscriptions that were deactivated, fail for long, whose script or stylesheet
// fails, or whose notifications wait for long.

import { durationText, parseTime, timeOfDayMs } from '../../elements/time.tsx';
import { figures } from '../../service/live-feed.ts';
import { request } from '../../service/request.ts';

export interface Attention {
  key: string;
  kind: 'DEACTIVATED' | 'FAILING' | 'SHAPING' | 'BACKLOG';
  subscription: { key: number; name: string | null };
  text: string;
  /** Where it can be fixed. */
  path: string;
  action: string;
}

interface Row {
  key: number;
  name: string | null;
  stateReason: string | null;
  stateDate: string | null;
  failingSince: string | null;
  shapingError: string | null;
}

interface Health {
  subscription: number;
  status: string;
  pending: number;
  oldestPendingAt: string | null;
}

const failingMs = 600_000;
const waitingMs = 60_000;
/** Of each kind. */
const shownMax = 20;

export async function loadAttention(signal: AbortSignal): Promise<Attention[]> {
  const nowMs = timeOfDayMs();
  const failingBefore = new Date(nowMs - failingMs).toISOString();
  const [deactivated, failing, shaping, waiting] = await Promise.all([
    loadRows(['state(EQ)DEACTIVATED'], signal),
    loadRows(['state(EQ)ACTIVE', `failingSince(LT)${failingBefore}`], signal),
    loadRows(['state(EQ)ACTIVE', 'shapingError(NOTNULL)'], signal),
    loadWaiting(nowMs, signal),
  ]);
  return [
    ...deactivated.map(deactivatedItem),
    ...failing.map((row) => failingItem(row, nowMs)),
    ...shaping.map(shapingItem),
    ...waiting,
  ];
}

function loadRows(filter: string[], signal: AbortSignal): Promise<Row[]> {
  const shown = ['name', 'stateReason', 'stateDate', 'failingSince', 'shapingError'];
  return request<Row[]>('/WebhookSubscription', {
    query: { filter, sort: 'key(DS)', limit: shownMax },
    fields: Object.fromEntries(shown.map((name) => [name, '*'])),
    headers: { nocount: 'YES' },
    signal,
  });
}

function deactivatedItem({ key, name, stateReason }: Row): Attention {
  return {
    key: `deactivated ${key}`,
    kind: 'DEACTIVATED',
    subscription: { key, name },
    text: stateReason ?? 'Its notifications are collected, but not sent.',
    path: `/subscriptions/${key}`,
    action: 'Replace it',
  };
}

function failingItem({ key, name, failingSince }: Row, nowMs: number): Attention {
  return {
    key: `failing ${key}`,
    kind: 'FAILING',
    subscription: { key, name },
    text: `All attempts have failed for ${durationText(nowMs - parseTime(failingSince!).getTime())}.`,
    path: `/notifications?subscription=${key}&status=RETRYING&status=FAILED`,
    action: 'See the errors',
  };
}

function shapingItem({ key, name, shapingError }: Row): Attention {
  return {
    key: `shaping ${key}`,
    kind: 'SHAPING',
    subscription: { key, name },
    text: shapingError!,
    path: `/subscriptions/${key}/edit`,
    action: 'Fix the script',
  };
}

/** Asked only if something waits for long. Those that fail are waiting for their next attempt, which is usual. */
async function loadWaiting(nowMs: number, signal: AbortSignal): Promise<Attention[]> {
  const oldestSeconds = figures.peek()?.oldestPendingSeconds ?? 0;
  if (oldestSeconds * 1_000 < waitingMs) return [];
  const { subscriptions } = await request<{ subscriptions: Health[] }>('/WebhookSubscription/health', { signal });
  const waiting = subscriptions
    .filter(({ status, oldestPendingAt }) => status === 'ACTIVE' && ageMs(oldestPendingAt, nowMs) > waitingMs)
    .slice(0, shownMax);
  if (waiting.length === 0) return [];
  const keys = waiting.map(({ subscription }) => subscription).join(',');
  const rows = await request<(Row & { channelInfo?: { channelType?: string } | null })[]>('/WebhookSubscription', {
    query: { filter: `key(IN)(${keys})`, limit: shownMax },
    signal,
  });
  return waiting.flatMap((health) => {
    const row = rows.find(({ key }) => key === health.subscription);
    return row ? [waitingItem(row, row.channelInfo?.channelType === 'STREAM', health, nowMs)] : [];
  });
}

function waitingItem({ key, name }: Row, isStream: boolean, health: Health, nowMs: number): Attention {
  const age = durationText(ageMs(health.oldestPendingAt, nowMs));
  const count = `${health.pending.toLocaleString()} ${health.pending === 1 ? 'notification' : 'notifications'}`;
  return {
    key: `backlog ${key}`,
    kind: 'BACKLOG',
    subscription: { key, name },
    text: isStream ? `${count} not acknowledged, the oldest for ${age}.` : `${count} to send, the oldest for ${age}.`,
    path: isStream ? `/streams/${key}` : `/notifications?subscription=${key}&status=PENDING`,
    action: isStream ? 'Open the stream' : 'See what waits',
  };
}

function ageMs(at: string | null, nowMs: number): number {
  return at === null ? 0 : nowMs - parseTime(at).getTime();
}
