// Serves all connections to the live feed of a process: one loop reads what is new, a few times a second, and passes it
// to those who may see it. Reads nothing while nobody listens. It is not woken by signals: a NOTIFY for each outcome
// would take a lock of the whole server at each COMMIT.

import type { Database, Run } from '../database/database.ts';
import { WorkLoop } from '../database/work-loop.ts';
import { deliveryActor } from '../deliver/workers/delivery-actor.ts';
import { entryOf } from '../entry-of.ts';
import type { Model } from '../model/object-type.ts';
import type { Observe } from '../observe/observation.ts';
import type { View } from '../query/view.ts';
import type { Links } from '../query/view-columns.ts';
import { LiveBacklogs, type LiveBacklogsParts } from './live-backlogs.ts';
import { type LiveFeed, type RowKind, rowKinds, type Viewer } from './live-feed.ts';
import { ChangeRate, LiveFigures, noRates } from './live-figures.ts';
import { liveView, type Position } from './live-table.ts';
import {
  type ChangesAudience,
  type News,
  readNews,
  type Shown,
  showChanges,
  showNotifications,
  UserCache,
} from './read-news.ts';

export interface LiveHubParts extends LiveBacklogsParts {
  database: Pick<Database, 'run' | 'transaction'>;
  observe: Observe;
  model: Model;
  links: Links;
}

const tickMs = 250;
const figuresEveryMs = 1_000;
const beatEveryMs = 15_000;
/** Activities are deleted three seconds after they were recorded: what happened longer ago may be missing. */
const lateAfterMs = 2_000;

/** What is sent to each feed. */
type ShownRows = Record<RowKind, Map<LiveFeed, Shown>>;

export class LiveHub {
  readonly #parts: LiveHubParts;
  readonly #view: View;
  /** They get `ready` when the position and their backlog are known. Until then, nothing is sent to them. */
  readonly #joining = new Set<LiveFeed>();
  readonly #feeds = new Set<LiveFeed>();
  readonly #loop: WorkLoop;
  readonly #users = new UserCache();
  readonly #backlogs: LiveBacklogs;
  #position: Position | undefined;
  #positionAt = 0;
  /** Whether something was not shown, so that the feeds have to be told. */
  #hasMissed = false;
  #figures = new Map<Viewer['sees'], LiveFigures>();
  #changes: ChangeRate | undefined;
  #figuresAt = 0;
  #beatAt = 0;
  #isStopped = false;

  constructor(parts: LiveHubParts) {
    this.#parts = parts;
    this.#backlogs = new LiveBacklogs(parts);
    this.#view = liveView(parts.model.types.get('WebhookNotification')!);
    const onError = (error: Error) => parts.observe({ kind: 'housekeeping.failed', error });
    this.#loop = new WorkLoop({ round: () => this.#tick(), pollEveryMs: tickMs, onError });
  }

  start(): void {
    this.#loop.start();
  }

  get size(): number {
    return this.#feeds.size + this.#joining.size;
  }

  countOf(client: string): number {
    let count = 0;
    for (const feeds of [this.#feeds, this.#joining])
      for (const { viewer } of feeds) if (viewer.client === client) count += 1;
    return count;
  }

  add(feed: LiveFeed): void {
    if (this.#isStopped) {
      feed.end();
      return;
    }
    this.#joining.add(feed);
    this.#begin(feed);
    if (this.#joining.has(feed)) this.#loop.wake();
  }

  remove(feed: LiveFeed): void {
    this.#joining.delete(feed);
    this.#feeds.delete(feed);
  }

  /** Ends all feeds, and those that are opened from now on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const feed of [...this.#feeds, ...this.#joining]) feed.end();
    await this.#loop.stop();
  }

  async #tick(): Promise<false> {
    if (this.size === 0) {
      this.#forget();
      return false;
    }
    const now = performance.now();
    const joining = [...this.#joining];
    await this.#passNews();
    await this.#backlogs.refresh(new Set([...this.#feeds, ...joining].map(({ viewer }) => viewer.sees)));
    for (const feed of joining) this.#begin(feed);
    if (now - this.#figuresAt >= figuresEveryMs) this.#sendFigures(now);
    if (now - this.#beatAt >= beatEveryMs) this.#beat(now);
    return false;
  }

  /** The next connection starts from now. */
  #forget(): void {
    this.#position = undefined;
    this.#hasMissed = false;
    this.#figures = new Map();
    this.#backlogs.forget();
    this.#changes = undefined;
  }

  #begin(feed: LiveFeed): void {
    const { sees } = feed.viewer;
    if (this.#position === undefined || this.#backlogs.of(sees) === undefined) return;
    // It may have closed meanwhile.
    if (!this.#joining.delete(feed)) return;
    this.#feeds.add(feed);
    if (sees !== 'none') entryOf(this.#figures, sees, () => new LiveFigures(secondsNow()));
    feed.sendFigures('ready', this.#renderFigures(sees));
  }

  /**
   * Sends only after the transaction, which may run twice. If rows cannot be rendered, the next round goes on after
   * them: the same rows might fail for ever. The feeds are then told that rows are missing.
   */
  async #passNews(): Promise<void> {
    const before = this.#position;
    const beforeAt = this.#positionAt;
    let news: News | undefined;
    try {
      const rows = await this.#parts.database.transaction(deliveryActor, async ({ run }) => {
        this.#positionAt = performance.now();
        news = undefined;
        news = await readNews(before, this.#users, run);
        const isLate = before !== undefined && performance.now() - beforeAt > lateAfterMs;
        if (isLate || news.isCut) this.#hasMissed = true;
        return this.#showRows(news, run);
      });
      this.#position = news!.position;
      this.#send(news!, rows);
    } catch (error) {
      if (news) this.#passOver(news, before);
      else this.#positionAt = beforeAt;
      throw error;
    }
  }

  /** Changes of subscriptions are read again, as nothing of them is rendered. */
  #passOver({ position }: News, before: Position | undefined): void {
    this.#hasMissed = true;
    this.#position = { ...position, revision: before?.revision ?? position.revision };
  }

  #send(news: News, rows: ShownRows): void {
    this.#count(news);
    for (const kind of rowKinds) for (const feed of this.#feeds) this.#sendRows(feed, kind, rows[kind].get(feed));
    this.#hasMissed = false;
    if (news.subscriptions.length === 0) return;
    for (const feed of this.#feeds) {
      const { sees } = feed.viewer;
      // Nobody knows who had a deleted one, so that only those who see all are told.
      const keys = news.subscriptions.filter(({ user }) => sees === 'all' || (user !== undefined && user === sees));
      feed.sendSubscriptions(keys.map(({ key }) => key));
    }
  }

  #sendRows(feed: LiveFeed, kind: RowKind, shown: Shown | undefined): void {
    const { sees, wants } = feed.viewer;
    const isMissing = this.#hasMissed && wants[kind] && !(kind === 'notifications' && sees === 'none');
    if (!shown && !isMissing) return;
    feed.sendRows(kind, shown?.rows ?? [], (shown?.skipped ?? 0) + (isMissing ? 1 : 0));
  }

  #count({ happenings, events }: News): void {
    const at = secondsNow();
    this.#changes ??= new ChangeRate(at);
    this.#changes.add(at, events.length);
    const audiences = this.#audiences(() => true);
    for (const sees of [...this.#figures.keys()]) if (!audiences.has(sees)) this.#figures.delete(sees);
    for (const { user, code } of happenings)
      for (const sees of ['all', user] as const) if (sees !== undefined) this.#figures.get(sees)?.add(at, code);
  }

  async #showRows(news: News, run: Run): Promise<ShownRows> {
    return {
      notifications: news.happenings.length > 0 ? await this.#showNotifications(news, run) : new Map(),
      changes: news.events.length > 0 ? await this.#showChanges(news, run) : new Map(),
    };
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

  async #showNotifications(news: News, run: Run): Promise<ShownRows['notifications']> {
    const { links } = this.#parts;
    const audiences = this.#audiences(({ wants }) => wants.notifications);
    const shown = await showNotifications(news, audiences, { view: this.#view, links, run });
    const rows = new Map<LiveFeed, Shown>();
    for (const feed of this.#feeds) {
      const { sees, wants } = feed.viewer;
      const mine = shown.get(sees);
      if (mine && wants.notifications) rows.set(feed, mine);
    }
    return rows;
  }

  async #showChanges(news: News, run: Run): Promise<ShownRows['changes']> {
    const { model, links } = this.#parts;
    const audiences = new Map<Model, Map<Viewer['sees'], { audience: ChangesAudience; feeds: LiveFeed[] }>>();
    for (const feed of this.#feeds) {
      const { sees, model: seen, wants } = feed.viewer;
      if (!wants.changes) continue;
      const ofModel = entryOf(audiences, seen, () => new Map());
      entryOf(ofModel, sees, () => ({ audience: { sees, model: seen }, feeds: [] })).feeds.push(feed);
    }
    const all = [...audiences.values()].flatMap((ofModel) => [...ofModel.values()]);
    if (all.length === 0) return new Map();
    const shown = await showChanges(
      news,
      all.map(({ audience }) => audience),
      { model, links, run },
    );
    return new Map(all.flatMap(({ feeds }, index) => feeds.map((feed) => [feed, shown[index]!])));
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
    const now = secondsNow();
    return JSON.stringify({
      changesPerSecond: this.#changes?.perSecond(now) ?? 0,
      ...(this.#figures.get(sees)?.rates(now) ?? noRates),
      ...this.#backlogs.of(sees),
    });
  }

  #beat(now: number): void {
    this.#beatAt = now;
    for (const feed of this.#feeds) feed.beat();
  }
}

function secondsNow(): number {
  return performance.now() / 1_000;
}
