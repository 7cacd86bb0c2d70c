// Stores the results of a batch: notifications with their bodies, unshaped matches, and the reasons why others were
// suppressed. Writes in portions, so that an event with very many subscriptions does not hold all bodies in memory at
// once.

import { storableMessage } from '@flaghoist/source-text';
import type { Run, Statement, Transaction } from '../database/database.ts';
import { EventLoopYield } from '../database/event-loop-yield.ts';
import { epochOf } from '../database/server-epoch.ts';
import { type DirectDispatch, DirectDispatchBatch } from '../deliver/lanes/direct-dispatch.ts';
import { insertContents } from '../deliver/queue/content-table.ts';
import { insertNotifications, markNotified, type NewNotification } from '../deliver/queue/notification-table.ts';
import type { Observe } from '../observe/observation.ts';
import type { Body, Content } from '../render/body.ts';
import { insertSuppressed, type SuppressedRow, suppressedMax } from '../shape/suppressed-table.ts';
import { insertObjectTexts, insertUnshaped, type UnshapedMatch } from '../shape/unshaped-table.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Evaluated, Match, Suppressed } from './evaluate-candidates.ts';
import type { KeyReserve } from './key-reserve.ts';
import { type AttemptedBody, BodyRenderer, failedBody, type RenderOptions } from './render-body.ts';
import { UnshapedWriter } from './unshaped-writer.ts';

export interface Recorded {
  notifications: number;
  suppressed: number;
  /** How many of the notifications were dispatched directly to the worker of this process. */
  dispatchedDirectly: number;
  /** How many matches wait to be shaped by a script or a stylesheet. */
  unshaped: number;
}

/** Records the results of one batch. */
export interface Recording {
  add(evaluated: readonly Evaluated[], run: Run): Promise<void>;
  /** `more`: statements for the same transaction. */
  commit(transaction: Transaction, ...more: Statement[]): Promise<Recorded>;
}

/** What all notifications of a batch have in common. */
export interface BatchMoment {
  /** By the clock of the database. */
  createdDate: string;
  /** The revision of the subscriptions that the batch is matched with. */
  subscriptionRevision: string;
}

export type StartRecording = (moment: BatchMoment) => Recording;

export interface RecordParts extends RenderOptions {
  keys: KeyReserve;
  observe: Observe;
  /** Passes notifications to the worker in memory. Undefined if this process does not deliver. */
  directDispatch: DirectDispatch | undefined;
}

const rowsInPortion = 500;
const charsInPortion = 2_000_000;

export function createRecording(parts: RecordParts): StartRecording {
  // A mark is permanent, so this process sets it once per subscription. If the transaction rolls back, a later batch
  // sets the mark again.
  const marked = new WeakSet<Subscription>();
  return (moment) => new BatchRecording(parts, moment, marked);
}

class BatchRecording implements Recording {
  readonly #parts: RecordParts;
  readonly #moment: BatchMoment;
  readonly #marked: WeakSet<Subscription>;
  readonly #unmarked = new Set<Subscription>();
  readonly #directBatch: DirectDispatchBatch;
  readonly #renderer: BodyRenderer;
  readonly #writer: UnshapedWriter;
  readonly #recorded: Recorded = { notifications: 0, suppressed: 0, dispatchedDirectly: 0, unshaped: 0 };
  /** How many suppressed matches are recorded, by event and user. */
  readonly #suppressedCounts = new Map<string, number>();
  readonly #stored = new WeakMap<Content, number>();
  #portion = new Portion();

  constructor(parts: RecordParts, moment: BatchMoment, marked: WeakSet<Subscription>) {
    this.#parts = parts;
    this.#moment = moment;
    this.#marked = marked;
    this.#directBatch = new DirectDispatchBatch(parts.directDispatch);
    this.#renderer = new BodyRenderer(parts);
    this.#writer = new UnshapedWriter(parts);
  }

  async add(evaluated: readonly Evaluated[], run: Run): Promise<void> {
    const count = evaluated.filter(({ kind }) => kind === 'match').length;
    await this.#parts.keys.fill({ count, serverEpoch: epochOf(this.#moment.subscriptionRevision) }, run);
    const loopYield = new EventLoopYield(run);
    for (const each of evaluated) {
      if (each.kind === 'suppressed') this.#addSuppressed(each);
      else if (each.candidate.subscription.preparation) this.#addUnshaped(each);
      else this.#addNotification(each);
      if (this.#portion.isFull) await run(...this.#takeInserts());
      if (loopYield.isDue()) await loopYield.wait();
    }
  }

  /** Sends the last portion together with COMMIT. */
  async commit(transaction: Transaction, ...more: Statement[]): Promise<Recorded> {
    const keys = [...this.#unmarked].map(({ key }) => key);
    const marks = keys.length > 0 ? [markNotified(keys)] : [];
    await transaction.commitWith(...this.#takeInserts(), ...marks, ...more);
    for (const subscription of this.#unmarked) this.#marked.add(subscription);
    this.#recorded.dispatchedDirectly = this.#directBatch.dispatch(this.#moment.subscriptionRevision);
    return this.#recorded;
  }

  #takeInserts(): Statement[] {
    const { notifications, unshaped, suppressed } = this.#portion;
    const texts = this.#writer.takeTexts();
    this.#portion = new Portion();
    const inserts: Statement[] = [];
    if (notifications.length > 0) inserts.push(...this.#insertNotifications(notifications));
    if (texts.length > 0) inserts.push(insertObjectTexts(texts));
    if (unshaped.length > 0) inserts.push(insertUnshaped(unshaped));
    if (suppressed.length > 0) inserts.push(insertSuppressed(suppressed));
    return inserts;
  }

  #insertNotifications(notifications: readonly NewNotification[]): Statement[] {
    const { createdDate } = this.#moment;
    const contents = insertContents(notifications, this.#stored, createdDate);
    const workerId = this.#directBatch.workerId ?? null;
    const insert = insertNotifications(notifications, { createdDate, workerId, stored: this.#stored });
    return contents ? [contents, insert] : [insert];
  }

  #addSuppressed({ candidate, reason, message }: Suppressed): void {
    const { event, subscription, subscribedKey: objectKey } = candidate;
    this.#recorded.suppressed += 1;
    const name = `${event.id} ${subscription.userKey}`;
    const count = this.#suppressedCounts.get(name) ?? 0;
    if (count >= suppressedMax) return;
    this.#suppressedCounts.set(name, count + 1);
    const storable = message === null ? null : storableMessage(message);
    const row = { eventId: event.id, subscriptionKey: subscription.key, objectKey, reason, message: storable };
    this.#portion.suppressed.push(row);
  }

  #addUnshaped(match: Match): void {
    this.#recorded.unshaped += 1;
    const unshaped = this.#writer.add(match, this.#parts.keys.take(), whyNotSent(match.candidate.subscription));
    this.#portion.unshaped.push(unshaped);
    this.#portion.chars += unshaped.bytes;
  }

  #addNotification(match: Match): void {
    const { subscription } = match.candidate;
    this.#recorded.notifications += 1;
    if (!this.#marked.has(subscription)) this.#unmarked.add(subscription);
    const notification = this.#render(match);
    this.#portion.notifications.push(notification);
    this.#portion.count(notification.body);
  }

  #render(match: Match): NewNotification {
    const { event, subscription, subscribedKey } = match.candidate;
    const key = this.#parts.keys.take();
    const id = `${event.id}-${key}`;
    const rendered = this.#attemptBody(match, id);
    const notification: NewNotification = {
      key,
      id,
      subscriptionKey: subscription.key,
      userKey: subscription.userKey,
      objectType: event.type.name,
      objectKey: event.key,
      eventType: event.operation,
      subscribedObjectKey: subscribedKey,
      occurredAt: event.occurredAt,
      contentType: rendered.contentType,
      subject: null,
      body: rendered.kind === 'body' ? rendered.body : null,
      errorMessage: rendered.kind === 'failure' ? rendered.message : whyNotSent(subscription),
      isOrdered: subscription.isOrdered,
      isStreamed: subscription.isStreamed,
      isDispatchedDirectly: false,
    };
    notification.isDispatchedDirectly = this.#directBatch.choose(notification, this.#moment.createdDate);
    return notification;
  }

  /** If rendering one body fails through a fault of ours, only that notification fails; the others are stored. */
  #attemptBody(match: Match, id: string): AttemptedBody {
    try {
      return this.#renderer.render(match, id);
    } catch (error) {
      this.#parts.observe({ kind: 'matching.failed', events: 1, error: error as Error });
      return failedBody('The body could not be created. See the log of the service.');
    }
  }
}

/** The rows of the next inserts. */
class Portion {
  readonly notifications: NewNotification[] = [];
  readonly unshaped: UnshapedMatch[] = [];
  readonly suppressed: SuppressedRow[] = [];
  /** Of bodies and object texts. */
  chars = 0;
  readonly #counted = new Set<Content>();

  /** Adds the length of a body. A content that it shares with another one is in memory once. */
  count(body: Body | null): void {
    if (!body) return;
    const { start, content } = body;
    this.chars += start.length;
    if (this.#counted.has(content)) return;
    this.#counted.add(content);
    this.chars += content.text.length;
  }

  get isFull(): boolean {
    const rows = this.notifications.length + this.unshaped.length + this.suppressed.length;
    return rows >= rowsInPortion || this.chars >= charsInPortion;
  }
}

function whyNotSent({ deactivatedMs }: Subscription): string | null {
  return deactivatedMs === undefined ? null : 'The subscription is deactivated.';
}
