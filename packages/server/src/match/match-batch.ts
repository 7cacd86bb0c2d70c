// Processes one batch of matching (line 2 of ARCHITECTURE.md) in one transaction: claims, judges and evaluates events,
// and stores the resulting notifications. If the process dies, the transaction rolls back and nothing changes.

import type { Transaction } from '../database/database.ts';
import { insertChangeActivity } from '../deliver/statistics/activity-table.ts';
import { readEvent } from '../events/change-event.ts';
import { claimEvents, type EventRow } from '../events/event-table.ts';
import type { Model } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';
import type { SubscriptionSet } from '../subscriptions/subscription-set.ts';
import {
  type MatchingStateRow,
  selectMatchingState,
  shareSubscriptionsLock,
} from '../subscriptions/subscription-table.ts';
import { evaluateCandidates } from './evaluate-candidates.ts';
import { findCandidates } from './find-candidates.ts';
import { type Candidate, isCollecting, judgeCandidates } from './judge-candidate.ts';
import type { MatchTraces } from './match-traces.ts';
import type { Recorded, StartRecording } from './record-matches.ts';

export interface BatchParts {
  model: Model;
  modelDigest: string;
  links: Links;
  subscriptions: SubscriptionSet;
  startRecording: StartRecording;
  /** How long a deactivated subscription keeps collecting notifications. */
  deactivatedKeepMs: number;
  /** Undefined if tracing is off. */
  traces: MatchTraces | undefined;
}

export interface BatchRequest {
  eventsMax: number;
  fromId: number;
  /** Called as soon as the events are claimed, so that a failure can be attributed to them. */
  onClaim(ids: readonly number[]): void;
}

export interface BatchResult extends Recorded {
  events: number;
  bytes: number;
  /** The id of the first claimed event. */
  firstId: number | undefined;
  /** Nothing was claimed, because the tables were built from a different model than the one this process has. */
  isModelOutdated: boolean;
}

export async function matchBatch(
  parts: BatchParts,
  transaction: Transaction,
  request: BatchRequest,
): Promise<BatchResult> {
  const { run } = transaction;
  const { modelDigest } = parts;
  const [, claimed = [], states] = await run(
    shareSubscriptionsLock(),
    claimEvents({ ...request, modelDigest }),
    selectMatchingState(),
  );
  const { revision, created_date: createdDate, model_digest } = states![0] as unknown as MatchingStateRow;
  const rows = claimed as unknown as EventRow[];
  const eventIds = rows.map(({ id }) => Number(id));
  request.onClaim(eventIds);
  const claim = {
    events: rows.length,
    bytes: bytesOf(rows),
    firstId: rows[0] && Number(rows[0].id),
    isModelOutdated: rows.length === 0 && model_digest !== modelDigest,
  };
  if (rows.length === 0) return { ...claim, notifications: 0, suppressed: 0, dispatchedDirectly: 0, unshaped: 0 };
  const record = () => recordClaimed(parts, transaction, { rows, revision, createdDate });
  return { ...claim, ...(await (parts.traces ? parts.traces.around(eventIds, run, record) : record())) };
}

interface ClaimedEvents {
  rows: readonly EventRow[];
  /** Of the subscriptions. */
  revision: string;
  createdDate: string;
}

async function recordClaimed(
  parts: BatchParts,
  transaction: Transaction,
  { rows, revision, createdDate }: ClaimedEvents,
): Promise<Recorded> {
  const { run } = transaction;
  await parts.subscriptions.refresh(revision, run);
  const recording = parts.startRecording({ createdDate, subscriptionRevision: revision });
  const { model, links, deactivatedKeepMs } = parts;
  for (const candidates of candidateGroups(parts, rows)) {
    const rejected = await judgeCandidates(candidates, run);
    const accepted = candidates.filter(
      (candidate) =>
        !rejected.has(candidate) && isCollecting(candidate.subscription, candidate.event, deactivatedKeepMs),
    );
    await recording.add(await evaluateCandidates(accepted, { run, model, links }), run);
  }
  const countedChanges = insertChangeActivity(rows.map(({ occurred_at }) => occurred_at));
  return await recording.commit(transaction, countedChanges);
}

/**
 * Yields groups of candidates, because an event can match very many subscriptions and memory must stay bounded. All
 * candidates of one event are in the same group.
 */
function* candidateGroups({ model, subscriptions }: BatchParts, rows: readonly EventRow[]): Generator<Candidate[]> {
  let group: Candidate[] = [];
  for (const row of rows) {
    const event = readEvent(row, model);
    if (event) for (const candidate of findCandidates(event, subscriptions)) group.push(candidate);
    if (group.length < candidatesInGroup) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

const candidatesInGroup = 10_000;

function bytesOf(rows: readonly EventRow[]): number {
  return rows.reduce((sum, { old_row, new_row }) => sum + (old_row?.length ?? 0) + (new_row?.length ?? 0), 0);
}
