// Reads what is new since the last time, for all viewers together: which notifications and objects have changed, and
// their rows as each viewer sees them.

import type { Run } from '../database/database.ts';
import { selectUsers, type UserOfSubscription } from '../deliver/statistics/statistics-table.ts';
import { entryOf } from '../entry-of.ts';
import { readEvent } from '../events/change-event.ts';
import { type ChangeRow, selectChanges } from '../history/changes-table.ts';
import { renderChangeList } from '../history/render-change.ts';
import { notificationsCountedMax } from '../model/catalogue/changes-operation.ts';
import { liveRowsMax } from '../model/catalogue/live-operation.ts';
import type { Model } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import type { Viewer } from './live-feed.ts';
import {
  activitiesMax,
  type CountedFor,
  countByUser,
  eventsMax,
  type NewsRow,
  type NotificationRow,
  type Position,
  selectNews,
  selectNotifications,
} from './live-table.ts';

/** Something that has happened to a notification. */
export interface Happening {
  notification: number;
  subscription: number;
  /** Undefined: the subscription does not exist any more. */
  user: number | undefined;
  code: number;
}

export interface News {
  position: Position;
  /** The newest first. */
  happenings: Happening[];
  days: { first: string; last: string };
  /** Ids of events, the newest first. */
  events: number[];
  subscriptions: { key: number; user: number | undefined }[];
  /** Whether more has happened than one read returns. */
  isCut: boolean;
}

/** `position` undefined: nothing is new, and from now on it is known where to go on. */
export async function readNews(position: Position | undefined, users: UserCache, run: Run): Promise<News> {
  const [[row] = []] = await run(selectNews(position));
  const { seen, activity_id, event_id, revision, ...news } = row as unknown as NewsRow;
  const activities = JSON.parse(news.activities) as [number[], number[], number[], string, string][];
  const events = JSON.parse(news.events) as number[];
  const changed = JSON.parse(news.subscriptions) as number[];
  await users.load([...activities.flatMap(([, keys]) => keys), ...changed], run);
  const dates = activities.flatMap(([, , , first, last]) => [first, last]).sort();
  return {
    position: { seen, activityId: Number(activity_id), eventId: Number(event_id), revision: Number(revision) },
    happenings: activities.flatMap(([notifications, subscriptions, codes]) =>
      notifications.map((notification, index) => ({
        notification,
        subscription: subscriptions[index]!,
        user: users.of(subscriptions[index]!),
        code: codes[index]!,
      })),
    ),
    days: { first: dates[0] ?? '', last: dates.at(-1) ?? '' },
    events,
    subscriptions: changed.map((key) => ({ key, user: users.of(key) })),
    isCut: activities.length === activitiesMax || events.length === eventsMax,
  };
}

/** The owners of subscriptions, who never change. */
export class UserCache {
  readonly #users = new Map<number, number>();

  of(subscription: number): number | undefined {
    return this.#users.get(subscription);
  }

  async load(subscriptions: readonly number[], run: Run): Promise<void> {
    const unknown = [...new Set(subscriptions)].filter((key) => !this.#users.has(key));
    if (unknown.length === 0) return;
    if (this.#users.size > rememberedMax) this.#users.clear();
    const [rows = []] = await run(selectUsers(unknown));
    for (const { key, user } of rows as unknown as UserOfSubscription[]) this.#users.set(Number(key), Number(user));
  }
}

const rememberedMax = 50_000;

/** What one viewer is shown, and how much is left out. */
export interface Shown {
  rows: string[];
  skipped: number;
}

/** By `sees` of the viewers. */
export async function showNotifications(
  { happenings, days }: News,
  audiences: ReadonlySet<Viewer['sees']>,
  { view, links, run }: { view: View; links: Links; run: Run },
): Promise<Map<Viewer['sees'], Shown>> {
  const keys = new Map<Viewer['sees'], Set<number>>();
  for (const { notification, user } of happenings)
    for (const sees of ['all', user] as const)
      if (sees !== undefined && audiences.has(sees)) entryOf(keys, sees, () => new Set()).add(notification);
  const chosen = new Map([...keys].map(([sees, all]) => [sees, [...all].slice(0, liveRowsMax)]));
  const wanted = [...new Set([...chosen.values()].flat())];
  if (wanted.length === 0) return new Map();
  const [rows = []] = await run(selectNotifications(view, links, wanted, days));
  const objects = new Map((rows as unknown as NotificationRow[]).map((row) => [Number(row.key), row.object]));
  return new Map(
    [...chosen].map(([sees, some]) => [
      sees,
      { rows: some.flatMap((key) => objects.get(key) ?? []), skipped: keys.get(sees)!.size - some.length },
    ]),
  );
}

/** An audience of changes: they are shown in the model of the viewer, with the number of notifications that it sees. */
export interface ChangesAudience {
  sees: Viewer['sees'];
  model: Model;
}

/** What the rows of one event may have in bytes. */
const rowBytesMax = 256_000;

/** In the order of the audiences. */
export async function showChanges(
  { events }: News,
  audiences: readonly ChangesAudience[],
  { model, links, run }: { model: Model; links: Links; run: Run },
): Promise<Shown[]> {
  const ids = events.slice(0, liveRowsMax);
  const [rows = [], counted = []] = await run(
    selectChanges(ids, rowBytesMax),
    countByUser(ids, notificationsCountedMax),
  );
  const changes = (rows as unknown as ChangeRow[]).flatMap((row) => {
    const event = readEvent(row, model);
    return event ? [{ event, client: row.client }] : [];
  });
  const counts = counted as unknown as CountedFor[];
  const shown: Shown[] = [];
  for (const { sees, model: seen } of audiences) {
    const listed = changes.map((change) => ({ ...change, notificationCount: countFor(sees, change.event.id, counts) }));
    shown.push({
      rows: await renderChangeList(listed, { model: seen, links, run }),
      skipped: events.length - listed.length,
    });
  }
  return shown;
}

function countFor(sees: Viewer['sees'], eventId: number, counts: readonly CountedFor[]): number {
  const ofEvent = counts.filter(({ event_id }) => Number(event_id) === eventId);
  const seen = ofEvent.filter(({ user }) => sees === 'all' || Number(user) === sees);
  return seen.reduce((sum, { count }) => sum + count, 0);
}
