// The live list of notifications: whatever order pages and rows of the feed arrive in, no row and no status is lost.

import { describe, expect, test } from 'vitest';
import {
  emptyList,
  type LiveListState,
  withArrival,
  withFirstPage,
  withMissed,
  withRequest,
  withWaitingShown,
} from '../src/pages/notifications/live-list.ts';
import type { NotificationRow } from '../src/pages/notifications/notification.ts';

const row = (key: number, status = 'PENDING') =>
  ({ key, createdDate: `2026-11-15T08:00:${String(key).padStart(2, '0')}`, status }) as NotificationRow;

const arrival = (
  rows: readonly NotificationRow[],
  more: { isHeld?: boolean; only?: string; skipped?: number } = {},
) => ({
  rows,
  skipped: more.skipped ?? 0,
  isMatch: ({ status }: NotificationRow) => more.only === undefined || status === more.only,
  isHeld: more.isHeld ?? false,
});

const loaded = (state: LiveListState, rows: readonly NotificationRow[], more = {}) =>
  withFirstPage(state, { rows, next: undefined }, (news) => arrival(news, more));

const shown = ({ rows }: LiveListState) => rows.map(({ key, status }) => `${key} ${status}`);

describe('what the feed sends while the first page is loaded', () => {
  test('is shown with the page, which may be older', () => {
    const asked = withRequest(emptyList);
    const state = loaded(withArrival(asked, arrival([row(3), row(2, 'DELIVERED')])), [row(2), row(1)]);
    expect(shown(state)).toEqual(['3 PENDING', '2 DELIVERED', '1 PENDING']);
  });

  test('waits if the list is held, and is shown then', () => {
    const state = loaded(withArrival(withRequest(emptyList), arrival([row(3)])), [row(1)], { isHeld: true });
    expect(shown(state)).toEqual(['1 PENDING']);
    expect(shown(withWaitingShown(state))).toEqual(['3 PENDING', '1 PENDING']);
  });

  test('is loaded once more if the feed has left something out, or was away', () => {
    const skipped = withArrival(withRequest(emptyList), arrival([], { skipped: 5 }));
    expect(loaded(skipped, [row(1)]).hasMissed).toBe(true);
    expect(loaded(withMissed(withRequest(emptyList)), [row(1)]).hasMissed).toBe(true);
  });

  test('counts only since the page was asked for', () => {
    const before = withArrival(loaded(withRequest(emptyList), [row(1)]), arrival([row(2)], { skipped: 1 }));
    const state = loaded(withRequest(before), [row(3), row(2)]);
    expect(shown(state)).toEqual(['3 PENDING', '2 PENDING']);
    expect(state.hasMissed).toBe(false);
  });
});

test('a row that waits and no longer matches is not shown later', () => {
  const only = 'PENDING';
  const held = withArrival(loaded(withRequest(emptyList), [row(1)]), arrival([row(2), row(3)], { isHeld: true, only }));
  const state = withArrival(held, arrival([row(3, 'DELIVERED')], { isHeld: true, only }));
  expect(shown(withWaitingShown(state))).toEqual(['2 PENDING', '1 PENDING']);
});

test('a row that is shown is updated in place, also if it no longer matches', () => {
  const state = withArrival(loaded(withRequest(emptyList), [row(1)]), arrival([row(1, 'FAILED')], { only: 'PENDING' }));
  expect(shown(state)).toEqual(['1 FAILED']);
});
