// The one live feed of the page: what happens now, as far as the user may see it. It runs while somebody is signed in.

import { effect, signal } from '@preact/signals';
import { session } from '../session/session.ts';
import { viewedUser } from '../session/viewed-user.ts';
import { type FeedState, LiveConnections } from './live-connections.ts';
import { send } from './request.ts';

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
  /**
   * What happened until now is unknown, so a list loads anew: after a lost connection, and after the first one, as a
   * page may have loaded its list before.
   */
  reconnected: { wasLost: boolean };
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

function receive(event: string, data: string): void {
  const value = JSON.parse(data);
  if (event === 'figures') figures.value = value;
  else if (event in listeners) tell(event as 'notifications', value);
}

/** Follows the session and the viewed user, who has connections of its own, and the token, which is renewed. */
export function startLiveFeed(): void {
  let current: LiveConnections | undefined;
  let served: string | undefined;
  let token: string | undefined;
  effect(() => {
    const user = session.value && `${session.value.user.key} ${viewedUser.value?.key ?? ''}`;
    const isRenewed = session.value?.token !== token;
    token = session.value?.token;
    if (user === served) {
      if (isRenewed) current?.useRenewedToken();
      return;
    }
    served = user;
    current?.close();
    current = undefined;
    figures.value = undefined;
    feedState.value = 'connecting';
    if (user === undefined) return;
    current = new LiveConnections({
      connect: (signal) => send('/live', { signal }),
      onState: (state) => {
        feedState.value = state;
      },
      onConnected: (wasLost) => tell('reconnected', { wasLost }),
      onEvent: receive,
    });
  });
}
