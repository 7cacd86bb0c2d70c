// Serves all connections to the live feed of a process: one loop reads what is new, a few times a second, and passes it
// to those who may see it. Reads nothing while nobody listens. It is not woken by signals: a NOTIFY for each outcome
// would take a lock of the whole server at each COMMIT.

import type { Database, Run } from '../database/database.ts';
import { WorkLoop } from '../database/work-loop.ts';
import type { RecentBacklog } from '../deliver/backlog/recent-backlog.ts';
import { deliveryActor } from '../deliver/workers/delivery-actor.ts';
import { entryOf } from '../entry-of.ts';
import { pendingCountedMax } from '../model/catalogue/statistics-actions.ts';
import type { Model } from '../model/object-type.ts';
import type { Observe } from '../observe/observation.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import type { LiveFeed, Viewer } from './live-feed.ts';
import { LiveFigures, noRates } from './live-figures.ts';
import { liveView, type Position, selectUserBacklogs, type UserBacklog } from './live-table.ts';
import { type ChangesAudience, type News, readNews, showChanges, showNotifications, UserCache } from './read-news.ts';

export interface LiveHubParts {
  database: Pick<Database, 'run' | 'transaction'>;
  observe: Observe;
  model: Model;
  links: Links;
  backlog: Pick<RecentBacklog, 'read'>;
}

const tickMs = 250;
const figuresEveryMs = 1_000;
const backlogEveryMs = 5_000;
const beatEveryMs = 15_000;

interface Backlog {
  backlog: number;
  oldestPendingSeconds: number;
}

const noBacklog: Backlog = { backlog: 0, oldestPendingSeconds: 0 };

export class LiveHub {
  readonly #parts: LiveHubParts;
  readonly #view: View;
  readonly #feeds = new Set<LiveFeed>();
  readonly #loop: WorkLoop;
  readonly #users = new UserCache();
  #position: Position | undefined;
  #figures = new Map<Viewer['sees'], LiveFigures>();
  #backlogs = new Map<Viewer['sees'], Backlog>();
  /** Of the last ten seconds: when, and how many. */
  #changes: { at: number; count: number }[] = [];
  #figuresAt = 0;
  #backlogAt = 0;
  #beatAt = 0;
  #isStopped = false;

  constructor(parts: LiveHubParts) {
    this.#parts = parts;
    this.#view = liveView(parts.model.types.get('WebhookNotification')!);
    const onError = (error: Error) => parts.observe({ kind: 'housekeeping.failed', error });
    this.#loop = new WorkLoop({ round: () => this.#tick(), pollEveryMs: tickMs, onError });
  }

  start(): void {
    this.#loop.start();
  }

  get size(): number {
    return this.#feeds.size;
  }

  countOf(client: string): number {
    let count = 0;
    for (const { viewer } of this.#feeds) if (viewer.client === client) count += 1;
    return count;
  }

  add(feed: LiveFeed): void {
    this.#feeds.add(feed);
    feed.sendFigures('ready', this.#renderFigures(feed.viewer.sees));
    if (this.#isStopped) feed.end();
  }

  remove(feed: LiveFeed): void {
    this.#feeds.delete(feed);
  }

  /** Ends all feeds, and those that are opened from now on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const feed of [...this.#feeds]) feed.end();
    await this.#loop.stop();
  }

  async #tick(): Promise<false> {
    if (this.#feeds.size === 0) {
      this.#forget();
      return false;
    }
    const now = performance.now();
    await this.#parts.database.transaction(deliveryActor, async ({ run }) => {
      const isFirst = this.#position === undefined;
      const news = await readNews(this.#position, this.#users, run);
      this.#position = news.position;
      if (!isFirst) await this.#pass(news, run);
    });
    if (now - this.#backlogAt >= backlogEveryMs) await this.#readBacklogs();
    if (now - this.#figuresAt >= figuresEveryMs) this.#sendFigures(now);
    if (now - this.#beatAt >= beatEveryMs) this.#beat(now);
    return false;
  }

  /** The next connection starts from now. */
  #forget(): void {
    if (this.#position === undefined) return;
    this.#position = undefined;
    this.#figures = new Map();
    this.#backlogs = new Map();
    this.#changes = [];
    this.#backlogAt = 0;
  }

  async #pass(news: News, run: Run): Promise<void> {
    this.#count(news);
    if (news.happenings.length > 0) await this.#passNotifications(news, run);
    if (news.events.length > 0) await this.#passChanges(news, run);
    if (news.subscriptions.length === 0) return;
    for (const feed of this.#feeds) {
      const { sees } = feed.viewer;
      // Nobody knows who had a deleted one, so that only those who see all are told.
      const keys = news.subscriptions.filter(({ user }) => sees === 'all' || (user !== undefined && user === sees));
      feed.sendSubscriptions(keys.map(({ key }) => key));
    }
  }

  #count({ happenings, events }: News): void {
    const at = Math.floor(performance.now() / 1_000);
    if (events.length > 0) this.#changes.push({ at, count: events.length });
    const audiences = this.#audiences(() => true);
    for (const sees of [...this.#figures.keys()]) if (!audiences.has(sees)) this.#figures.delete(sees);
    for (const { user, code } of happenings)
      for (const sees of ['all', user] as const)
        if (sees !== undefined && audiences.has(sees))
          entryOf(this.#figures, sees, () => new LiveFigures()).add(at, code);
  }

  #audiences(isWanted: (viewer: Viewer) => boolean): Set<Viewer['sees']> {
    const audiences = new Set(
      [...this.#feeds]
        .map(({ viewer }) => viewer)
        .filter(isWanted)
        .map(({ sees }) => sees),
    );
    audiences.delete('none');
    return audiences;
  }

  async #passNotifications(news: News, run: Run): Promise<void> {
    const { links } = this.#parts;
    const audiences = this.#audiences(({ wants }) => wants.notifications);
    const shown = await showNotifications(news, audiences, { view: this.#view, links, run });
    for (const feed of this.#feeds) {
      const { sees, wants } = feed.viewer;
      const mine = shown.get(sees);
      if (mine && wants.notifications) feed.sendRows('notifications', mine.rows, mine.skipped);
    }
  }

  async #passChanges(news: News, run: Run): Promise<void> {
    const { model, links } = this.#parts;
    const audiences = new Map<Model, Map<Viewer['sees'], { audience: ChangesAudience; feeds: LiveFeed[] }>>();
    for (const feed of this.#feeds) {
      const { sees, model: seen, wants } = feed.viewer;
      if (!wants.changes) continue;
      const ofModel = entryOf(audiences, seen, () => new Map());
      entryOf(ofModel, sees, () => ({ audience: { sees, model: seen }, feeds: [] })).feeds.push(feed);
    }
    const all = [...audiences.values()].flatMap((ofModel) => [...ofModel.values()]);
    if (all.length === 0) return;
    const shown = await showChanges(
      news,
      all.map(({ audience }) => audience),
      { model, links, run },
    );
    for (const [index, { feeds }] of all.entries())
      for (const feed of feeds) feed.sendRows('changes', shown[index]!.rows, shown[index]!.skipped);
  }

  async #readBacklogs(): Promise<void> {
    const { database, backlog } = this.#parts;
    this.#backlogAt = performance.now();
    const audiences = this.#audiences(() => true);
    const users = [...audiences].filter((sees): sees is number => typeof sees === 'number');
    const backlogs = new Map<Viewer['sees'], Backlog>();
    const rows = users.length > 0 ? await database.run(selectUserBacklogs(users, pendingCountedMax)) : [];
    for (const { user, pending, oldest_seconds } of rows as unknown as UserBacklog[])
      backlogs.set(Number(user), { backlog: pending, oldestPendingSeconds: oldest_seconds });
    if (audiences.has('all')) {
      const queues = Object.values((await backlog.read()) ?? {});
      backlogs.set('all', {
        backlog: queues.reduce((sum, { waiting }) => sum + waiting, 0),
        oldestPendingSeconds: Math.max(0, ...queues.map(({ oldestSeconds }) => oldestSeconds)),
      });
    }
    this.#backlogs = backlogs;
  }

  #sendFigures(now: number): void {
    this.#figuresAt = now;
    const rendered = new Map<Viewer['sees'], string>();
    for (const feed of this.#feeds) {
      const { sees } = feed.viewer;
      feed.sendFigures(
        'figures',
        entryOf(rendered, sees, () => this.#renderFigures(sees)),
      );
    }
  }

  #renderFigures(sees: Viewer['sees']): string {
    const at = Math.floor(performance.now() / 1_000);
    this.#changes = this.#changes.filter((each) => each.at > at - 10);
    return JSON.stringify({
      changesPerSecond: this.#changes.reduce((sum, { count }) => sum + count, 0) / 10,
      ...(this.#figures.get(sees)?.rates(at) ?? noRates),
      ...(this.#backlogs.get(sees) ?? noBacklog),
    });
  }

  #beat(now: number): void {
    this.#beatAt = now;
    for (const feed of this.#feeds) feed.beat();
  }
}
