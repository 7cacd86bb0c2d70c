// Stores what a batch has come to: the notifications with their bodies, and why others were held back. In portions, so that an
// event with very many subscriptions does not need the memory for all their bodies at once.

import type { Run, Statement, Transaction } from '../database/database.ts';
import { Pace } from '../database/pace.ts';
import { epochOf } from '../database/server-epoch.ts';
import type { HandOver } from '../delivery/hand-over.ts';
import { Handing } from '../delivery/handing.ts';
import { recordable } from '../json/printable.ts';
import { type HeldBackRow, heldBackMax, insertHeldBack } from '../notifications/held-back-table.ts';
import { insertNotifications, markNotified, type NewNotification } from '../notifications/notification-table.ts';
import { type Draft, insertDrafts, insertObjectTexts } from '../notifications/unprepared-table.ts';
import type { Observe } from '../observability/observation.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { DraftWriter } from './draft-matches.ts';
import type { Evaluated, HeldBack, Match } from './evaluate-candidates.ts';
import type { KeyReserve } from './key-reserve.ts';
import { type AttemptedBody, type BodyOptions, BodyRenderer, failedBody } from './render-body.ts';

export interface Recorded {
  notifications: number;
  heldBack: number;
  /** Of the notifications, those that the worker of this process has already. */
  handedOn: number;
  /** Those that wait for a script or a stylesheet. */
  unprepared: number;
}

/** Of one batch. */
export interface Recording {
  add(evaluated: readonly Evaluated[], run: Run): Promise<void>;
  commit(transaction: Transaction): Promise<Recorded>;
}

/** What all notifications of a batch have in common. */
export interface BatchMoment {
  /** By the clock of the database. */
  createdDate: string;
  /** What is known of subscriptions. */
  subscriptionRevision: string;
}

export type StartRecording = (moment: BatchMoment) => Recording;

export interface RecordParts extends BodyOptions {
  keys: KeyReserve;
  observe: Observe;
  /** Where notifications go on in memory; undefined where this process does not deliver. */
  handOver: HandOver | undefined;
}

const rowsInPortion = 500;
const bytesInPortion = 2_000_000;

export function createRecording(parts: RecordParts): StartRecording {
  // Marks are lasting, so each has to be made once; an uncommitted one only has to be made again.
  const marked = new WeakSet<Subscription>();
  return (moment) => {
    const handing = new Handing(parts.handOver);
    const storing: Storing = { handing, moment, portion: new Portion(), ...parts };
    const recorded: Recorded = { notifications: 0, heldBack: 0, handedOn: 0, unprepared: 0 };
    const unmarked = new Set<Subscription>();
    return {
      async add(evaluated, run) {
        const all = evaluated.filter((outcome) => outcome.kind === 'match');
        const matches = all.filter(({ candidate }) => !candidate.subscription.preparation);
        const unprepared = all.filter(({ candidate }) => candidate.subscription.preparation);
        const heldBack = evaluated.filter((outcome) => outcome.kind === 'heldBack');
        await storeMatches(storing, matches, run);
        await storeDrafts(storing, unprepared, run);
        if (heldBack.length > 0) await run(insertHeldBack(firstOfEach(heldBack).map(rowOf)));
        recorded.notifications += matches.length;
        recorded.unprepared += unprepared.length;
        recorded.heldBack += heldBack.length;
        for (const { candidate } of matches)
          if (!marked.has(candidate.subscription)) unmarked.add(candidate.subscription);
      },
      async commit(transaction) {
        const keys = [...unmarked].map(({ key }) => key);
        const last = [...insertPortion(storing), ...(keys.length > 0 ? [markNotified(keys)] : [])];
        await transaction.commitWith(...last).catch((error) => {
          handing.lose();
          throw error;
        });
        for (const subscription of unmarked) marked.add(subscription);
        recorded.handedOn = handing.handOn(moment.subscriptionRevision);
        return recorded;
      },
    };
  };
}

interface Storing extends RecordParts {
  handing: Handing;
  moment: BatchMoment;
  /** The last one travels with the COMMIT. */
  portion: Portion;
}

/** What the next insert will store. */
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

  /** Empty from now on. */
  take(): NewNotification[] {
    const rows = this.#rows;
    [this.#rows, this.#bytes] = [[], 0];
    return rows;
  }
}

function insertPortion({ portion, moment, handing }: Storing): Statement[] {
  const rows = portion.take();
  const { createdDate } = moment;
  return rows.length > 0 ? [insertNotifications(rows, { createdDate, workerId: handing.workerId ?? null })] : [];
}

async function storeMatches(parts: Storing, matches: readonly Match[], run: Run): Promise<void> {
  await fillKeys(parts, matches.length, run);
  const pace = new Pace(run);
  const renderer = new BodyRenderer(parts);
  for (const match of matches) {
    parts.portion.add(render(parts, renderer, match));
    if (parts.portion.isFull) await run(...insertPortion(parts));
    if (pace.isDue()) await pace.rest();
  }
}

async function storeDrafts(parts: Storing, matches: readonly Match[], run: Run): Promise<void> {
  if (matches.length === 0) return;
  await fillKeys(parts, matches.length, run);
  const pace = new Pace(run);
  const writer = new DraftWriter(parts);
  let drafts: Draft[] = [];
  let chars = 0;
  const insert = async () => {
    const texts = writer.takeTexts();
    await run(...(texts.length > 0 ? [insertObjectTexts(texts)] : []), insertDrafts(drafts));
    [drafts, chars] = [[], 0];
  };
  for (const match of matches) {
    const draft = writer.draft(match, parts.keys.take(), whyNotSent(match.candidate.subscription));
    drafts.push(draft);
    chars += draft.bytes;
    if (drafts.length >= rowsInPortion || chars >= bytesInPortion) await insert();
    if (pace.isDue()) await pace.rest();
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
    isHandedOn: false,
  };
  notification.isHandedOn = parts.handing.choose(notification, parts.moment.createdDate);
  return notification;
}

/** A fault of ours with one body is told as that notification's failure: all others are due all the same. */
function attemptBody({ observe }: RecordParts, renderer: BodyRenderer, match: Match, id: string): AttemptedBody {
  try {
    return renderer.render(match, id);
  } catch (error) {
    observe({ kind: 'matching.failed', events: 1, error: error as Error });
    return failedBody('The body could not be made. The log of the service says why.');
  }
}

function whyNotSent({ deactivatedMs }: Subscription): string | null {
  return deactivatedMs === undefined ? null : 'The subscription is deactivated.';
}

function firstOfEach(heldBack: readonly HeldBack[]): HeldBack[] {
  const counts = new Map<string, number>();
  return heldBack.filter(({ candidate: { event, subscription } }) => {
    const name = `${event.id} ${subscription.userKey}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= heldBackMax;
  });
}

function rowOf({ candidate, reason, message }: HeldBack): HeldBackRow {
  const { event, subscription, subscribedKey } = candidate;
  const told = message === null ? null : recordable(message);
  return { eventId: event.id, subscriptionKey: subscription.key, objectKey: subscribedKey, reason, message: told };
}
