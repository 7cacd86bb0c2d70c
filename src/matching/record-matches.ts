// Stores what a batch has come to: the notifications with their bodies, and why others were held back. In portions, so that an
// event with very many subscriptions does not need the memory for all their bodies at once.

import type { Run, Transaction } from '../database/database.ts';
import { Pace } from '../database/pace.ts';
import { printable } from '../json/printable.ts';
import { type HeldBackRow, insertHeldBack } from '../notifications/held-back-table.ts';
import { insertNotifications, markNotified, type NewNotification } from '../notifications/notification-table.ts';
import type { Observe } from '../observability/observation.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Evaluated, HeldBack, Match } from './evaluate-candidates.ts';
import type { KeyReserve } from './key-reserve.ts';
import { type AttemptedBody, type BodyOptions, BodyRenderer, failedBody } from './render-body.ts';

export interface Recorded {
  notifications: number;
  heldBack: number;
}

/** Of one batch. */
export interface Recording {
  add(evaluated: readonly Evaluated[], run: Run): Promise<void>;
  commit(transaction: Transaction): Promise<Recorded>;
}

export type StartRecording = () => Recording;

export interface RecordParts extends BodyOptions {
  keys: KeyReserve;
  observe: Observe;
}

const rowsInPortion = 500;
const bytesInPortion = 2_000_000;

/** Where very many subscriptions of a user hold an event back, only the first of them are told why. */
const heldBackMax = 1_000;

export function createRecording(parts: RecordParts): StartRecording {
  // Marks are lasting, so each has to be made once; an uncommitted one only has to be made again.
  const marked = new WeakSet<Subscription>();
  return () => {
    const recorded: Recorded = { notifications: 0, heldBack: 0 };
    const unmarked = new Set<Subscription>();
    return {
      async add(evaluated, run) {
        const matches = evaluated.filter((outcome) => outcome.kind === 'match');
        const heldBack = evaluated.filter((outcome) => outcome.kind === 'heldBack');
        await storeMatches(parts, matches, run);
        if (heldBack.length > 0) await run(insertHeldBack(firstOfEach(heldBack).map(rowOf)));
        recorded.notifications += matches.length;
        recorded.heldBack += heldBack.length;
        for (const { candidate } of matches)
          if (!marked.has(candidate.subscription)) unmarked.add(candidate.subscription);
      },
      async commit(transaction) {
        const keys = [...unmarked].map(({ key }) => key);
        await transaction.commitWith(...(keys.length > 0 ? [markNotified(keys)] : []));
        for (const subscription of unmarked) marked.add(subscription);
        return recorded;
      },
    };
  };
}

async function storeMatches(parts: RecordParts, matches: readonly Match[], run: Run): Promise<void> {
  await parts.keys.fill(matches.length, run);
  const pace = new Pace(run);
  const renderer = new BodyRenderer(parts);
  let [portion, bytes]: [NewNotification[], number] = [[], 0];
  const store = async () => {
    await run(insertNotifications(portion));
    [portion, bytes] = [[], 0];
  };
  for (const match of matches) {
    const notification = render(parts, renderer, match);
    portion.push(notification);
    bytes += notification.body?.length ?? 0;
    if (portion.length >= rowsInPortion || bytes >= bytesInPortion) await store();
    if (pace.isDue()) await pace.rest();
  }
  if (portion.length > 0) await store();
}

function render(parts: RecordParts, renderer: BodyRenderer, match: Match): NewNotification {
  const { event, subscription, subscribedKey } = match.candidate;
  const key = parts.keys.take();
  const id = `${event.id}-${key}`;
  const rendered = attemptBody(parts, renderer, match, id);
  return {
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
    body: rendered.kind === 'body' ? rendered.body : null,
    errorMessage: rendered.kind === 'failure' ? rendered.message : whyNotSent(subscription),
  };
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
  const told = message === null ? null : printable(message).slice(0, messageLengthMax);
  return { eventId: event.id, subscriptionKey: subscription.key, objectKey: subscribedKey, reason, message: told };
}

const messageLengthMax = 2_000;
