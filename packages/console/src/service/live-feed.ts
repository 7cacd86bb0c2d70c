// The one live feed of the page: what happens now, as far as the user may see it. It reconnects by itself, and says so
// once. It runs while somebody is signed in and the page is visible.

import { effect, signal } from '@preact/signals';
import { session } from '../session/session.ts';
import { viewedUser } from '../session/viewed-user.ts';
import { readEvents } from './event-stream.ts';
import { send } from './request.ts';
import { ServiceError } from './service-error.ts';

export type FeedState = 'connecting' | 'live' | 'offline';

export const feedState = signal<FeedState>('connecting');

export interface Figures {
  changesPerSecond: number;
  notificationsPerSecond: number;
  deliveredPerSecond: number;
  failedPerSecond: number;
  backlog: number;
  oldestPendingSeconds: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
}

/** The latest of each second; undefined before the first. */
export const figures = signal<Figures | undefined>(undefined);

/** What the feed sends, by the name of its event. */
export interface FeedEvents {
  notifications: { rows: Record<string, unknown>[]; skipped: number };
  changes: { rows: Record<string, unknown>[]; skipped: number };
  subscriptions: { keys: number[] };
  /** After a lost connection: what happened meanwhile is unknown, so a list loads anew. */
  reconnected: undefined;
}

type Listener<K extends keyof FeedEvents> = (data: FeedEvents[K]) => void;

const listeners: { [K in keyof FeedEvents]: Set<Listener<K>> } = {
  notifications: new Set(),
  changes: new Set(),
  subscriptions: new Set(),
  reconnected: new Set(),
};

/** Returns the function that ends it. */
export function onFeed<K extends keyof FeedEvents>(event: K, listener: Listener<K>): () => void {
  listeners[event].add(listener);
  return () => {
    listeners[event].delete(listener);
  };
}

function tell<K extends keyof FeedEvents>(event: K, data: FeedEvents[K]): void {
  for (const listener of listeners[event]) listener(data);
}

const retryMs = [500, 1_000, 2_000, 5_000, 10_000];

async function run(abort: AbortSignal): Promise<void> {
  let failures = 0;
  let wasLive = false;
  while (!abort.aborted) {
    try {
      const response = await send('/live', { signal: abort });
      for await (const { event, data } of readEvents(response)) {
        if (event === 'ready') {
          failures = 0;
          feedState.value = 'live';
          if (wasLive) tell('reconnected', undefined);
          wasLive = true;
        }
        receive(event, data);
      }
    } catch (error) {
      if (abort.aborted) return;
      if (error instanceof ServiceError && error.status === 403) {
        feedState.value = 'offline';
        return;
      }
    }
    if (abort.aborted) return;
    // A feed that ends in order, such as at a restart of the service, is reconnected without a warning at first.
    feedState.value = failures === 0 ? 'connecting' : 'offline';
    await waitFor(retryMs[Math.min(failures, retryMs.length - 1)]!, abort);
    failures += 1;
  }
}

function receive(event: string, data: string): void {
  const value = JSON.parse(data);
  if (event === 'figures') figures.value = value;
  else if (event in listeners) tell(event as 'notifications', value);
}

function waitFor(ms: number, abort: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    abort.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}

/** Follows the session and the viewed user: each has a feed of its own. */
export function startLiveFeed(): void {
  let current: AbortController | undefined;
  let served: string | undefined;
  effect(() => {
    const user = session.value && `${session.value.user.key} ${viewedUser.value?.key ?? ''}`;
    if (user === served) return;
    served = user;
    current?.abort();
    current = undefined;
    figures.value = undefined;
    feedState.value = 'connecting';
    if (user === undefined) return;
    current = new AbortController();
    run(current.signal);
  });
}
