// Stores the results of a batch: notifications with their bodies, unshaped matches, and the reasons why others were
// suppressed. Writes in portions, so that an event with very many subscriptions does not hold all bodies in memory at
// once.

import { storableMessage } from '@flaghoist/source-text';
import type { Run, Statement, Transaction } from '../database/database.ts';
import { EventLoopYield } from '../database/event-loop-yield.ts';
import { epochOf } from '../database/server-epoch.ts';
import { type DirectDispatch, DirectDispatchBatch } from '../deliver/lanes/direct-dispatch.ts';
import { insertNotifications, markNotified, type NewNotification } from '../deliver/queue/notification-table.ts';
import type { Observe } from '../observe/observation.ts';
import { insertSuppressed, type SuppressedRow, suppressedMax } from '../shape/suppressed-table.ts';
import { insertObjectTexts, insertUnshaped, type UnshapedMatch } from '../shape/unshaped-table.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Evaluated, Match, Suppressed } from './evaluate-candidates.ts';
import type { KeyReserve } from './key-reserve.ts';
import { type AttemptedBody, type BodyOptions, BodyRenderer, failedBody } from './render-body.ts';
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
  commit(transaction: Transaction): Promise<Recorded>;
}

/** What all notifications of a batch have in common. */
export interface BatchMoment {
  /** By the clock of the database. */
  createdDate: string;
  /** The revision of the subscriptions that the batch is matched with. */
  subscriptionRevision: string;
}

export type StartRecording = (moment: BatchMoment) => Recording;

export interface RecordParts extends BodyOptions {
  keys: KeyReserve;
  observe: Observe;
  /** Passes notifications to the worker in memory. Undefined if this process does not deliver. */
  directDispatch: DirectDispatch | undefined;
}

const rowsInPortion = 500;
const bytesInPortion = 2_000_000;

export function createRecording(parts: RecordParts): StartRecording {
  // A mark is permanent, so this process sets it once per subscription. If the transaction rolls back, a later batch
  // sets the mark again.
  const marked = new WeakSet<Subscription>();
  return (moment) => {
    const directBatch = new DirectDispatchBatch(parts.directDispatch);
    const storing: Storing = { directBatch, moment, portion: new Portion(), ...parts };
    const recorded: Recorded = { notifications: 0, suppressed: 0, dispatchedDirectly: 0, unshaped: 0 };
    const unmarked = new Set<Subscription>();
    return {
      async add(evaluated, run) {
        const all = evaluated.filter((outcome) => outcome.kind === 'match');
        const matches = all.filter(({ candidate }) => !candidate.subscription.preparation);
        const unshaped = all.filter(({ candidate }) => candidate.subscription.preparation);
        const suppressed = evaluated.filter((outcome) => outcome.kind === 'suppressed');
        await storeMatches(storing, matches, run);
        await storeUnshaped(storing, unshaped, run);
        if (suppressed.length > 0) await run(insertSuppressed(firstOfEach(suppressed).map(rowOf)));
        recorded.notifications += matches.length;
        recorded.unshaped += unshaped.length;
        recorded.suppressed += suppressed.length;
        for (const { candidate } of matches)
          if (!marked.has(candidate.subscription)) unmarked.add(candidate.subscription);
      },
      async commit(transaction) {
        const keys = [...unmarked].map(({ key }) => key);
        const last = [...insertPortion(storing), ...(keys.length > 0 ? [markNotified(keys)] : [])];
        await transaction.commitWith(...last);
        for (const subscription of unmarked) marked.add(subscription);
        recorded.dispatchedDirectly = directBatch.dispatch(moment.subscriptionRevision);
        return recorded;
      },
    };
  };
}

interface Storing extends RecordParts {
  directBatch: DirectDispatchBatch;
  moment: BatchMoment;
  /** The last portion is sent together with COMMIT. */
  portion: Portion;
}

/** The rows for the next insert. */
class Portion {
  #rows: NewNotification[] = [];
  #bytes = 0;

  add(row: NewNotification): void {
    this.#rows.push(row);
    this.#bytes += row.body?.length ?? 0;
  }

  get isFull(): boolean {
    return this.#rows.length >= rowsInPortion || this.#bytes >= bytesInPortion;
  }

  /** Returns the rows and empties the portion. */
  take(): NewNotification[] {
    const rows = this.#rows;
    [this.#rows, this.#bytes] = [[], 0];
    return rows;
  }
}

function insertPortion({ portion, moment, directBatch }: Storing): Statement[] {
  const rows = portion.take();
  const { createdDate } = moment;
  return rows.length > 0 ? [insertNotifications(rows, { createdDate, workerId: directBatch.workerId ?? null })] : [];
}

async function storeMatches(parts: Storing, matches: readonly Match[], run: Run): Promise<void> {
  await fillKeys(parts, matches.length, run);
  const loopYield = new EventLoopYield(run);
  const renderer = new BodyRenderer(parts);
  for (const match of matches) {
    parts.portion.add(render(parts, renderer, match));
    if (parts.portion.isFull) await run(...insertPortion(parts));
    if (loopYield.isDue()) await loopYield.wait();
  }
}

async function storeUnshaped(parts: Storing, matches: readonly Match[], run: Run): Promise<void> {
  if (matches.length === 0) return;
  await fillKeys(parts, matches.length, run);
  const loopYield = new EventLoopYield(run);
  const writer = new UnshapedWriter(parts);
  let drafts: UnshapedMatch[] = [];
  let chars = 0;
  const insert = async () => {
    const texts = writer.takeTexts();
    await run(...(texts.length > 0 ? [insertObjectTexts(texts)] : []), insertUnshaped(drafts));
    [drafts, chars] = [[], 0];
  };
  for (const match of matches) {
    const draft = writer.add(match, parts.keys.take(), whyNotSent(match.candidate.subscription));
    drafts.push(draft);
    chars += draft.bytes;
    if (drafts.length >= rowsInPortion || chars >= bytesInPortion) await insert();
    if (loopYield.isDue()) await loopYield.wait();
  }
  if (drafts.length > 0) await insert();
}

function fillKeys({ keys, moment }: Storing, count: number, run: Run): Promise<void> {
  return keys.fill({ count, serverEpoch: epochOf(moment.subscriptionRevision) }, run);
}

function render(parts: Storing, renderer: BodyRenderer, match: Match): NewNotification {
  const { event, subscription, subscribedKey } = match.candidate;
  const key = parts.keys.take();
  const id = `${event.id}-${key}`;
  const rendered = attemptBody(parts, renderer, match, id);
  const notification: NewNotification = {
    key,
    id,
    subscriptionKey: subscription.key,
    userKey: subscription.userKey,
    objectType: event.type.name,
    objectKey: event.key,
    eventType: event.operation,
    subscribedObjectKey: subscribedKey,
    eventTime: event.time,
    contentType: rendered.contentType,
    subject: null,
    body: rendered.kind === 'body' ? rendered.body : null,
    errorMessage: rendered.kind === 'failure' ? rendered.message : whyNotSent(subscription),
    isDispatchedDirectly: false,
  };
  notification.isDispatchedDirectly = parts.directBatch.choose(notification, parts.moment.createdDate);
  return notification;
}

/**
 * If rendering one body fails through a fault of ours, only that notification fails; the others are stored as usual.
 */
function attemptBody({ observe }: RecordParts, renderer: BodyRenderer, match: Match, id: string): AttemptedBody {
  try {
    return renderer.render(match, id);
  } catch (error) {
    observe({ kind: 'matching.failed', events: 1, error: error as Error });
    return failedBody('The body could not be created. See the log of the service.');
  }
}

function whyNotSent({ deactivatedMs }: Subscription): string | null {
  return deactivatedMs === undefined ? null : 'The subscription is deactivated.';
}

function firstOfEach(suppressed: readonly Suppressed[]): Suppressed[] {
  const counts = new Map<string, number>();
  return suppressed.filter(({ candidate: { event, subscription } }) => {
    const name = `${event.id} ${subscription.userKey}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= suppressedMax;
  });
}

function rowOf({ candidate, reason, message }: Suppressed): SuppressedRow {
  const { event, subscription, subscribedKey } = candidate;
  const told = message === null ? null : storableMessage(message);
  return { eventId: event.id, subscriptionKey: subscription.key, objectKey: subscribedKey, reason, message: told };
}
