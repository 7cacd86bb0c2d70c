// One batch of line 2, in one transaction: events are claimed, judged and evaluated, and the notifications that they lead to are
// stored. Whoever dies on the way leaves everything as it was.

import type { Run, Transaction } from '../database/database.ts';
import { claimEvents, type EventRow } from '../events/event-table.ts';
import { readEvent } from '../events/read-event.ts';
import type { Model } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';
import type { SubscriptionSet } from '../subscriptions/subscription-set.ts';
import { holdSubscriptions, type MatchingStateRow, selectMatchingState } from '../subscriptions/subscription-table.ts';
import { findBegunOrEnded, pairName } from './begun-or-ended.ts';
import { evaluateCandidates } from './evaluate-candidates.ts';
import { findCandidates } from './find-candidates.ts';
import { type Candidate, isCollecting, judgeCandidate } from './judge-candidate.ts';
import type { Recorded, StartRecording } from './record-matches.ts';

export interface BatchParts {
  model: Model;
  modelDigest: string;
  links: Links;
  subscriptions: SubscriptionSet;
  startRecording: StartRecording;
  /** How long deactivated subscriptions go on collecting. */
  deactivatedKeepMs: number;
}

export interface BatchRequest {
  eventsMax: number;
  fromId: number;
  /** Told as soon as they are claimed, so that a failure can be laid at their door. */
  onClaim(ids: readonly number[]): void;
}

export interface BatchResult extends Recorded {
  events: number;
  bytes: number;
  /** Of the first event that was claimed. */
  firstId: number | undefined;
  /** Nothing was claimed, since the tables were made from another model than that of this process. */
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
    holdSubscriptions(),
    claimEvents({ ...request, modelDigest }),
    selectMatchingState(),
  );
  const { revision, created_date: createdDate, model_digest } = states![0] as unknown as MatchingStateRow;
  const rows = claimed as unknown as EventRow[];
  request.onClaim(rows.map(({ id }) => Number(id)));
  const claim = {
    events: rows.length,
    bytes: bytesOf(rows),
    firstId: rows[0] && Number(rows[0].id),
    isModelOutdated: rows.length === 0 && model_digest !== modelDigest,
  };
  if (rows.length === 0) return { ...claim, notifications: 0, heldBack: 0, handedOn: 0, unprepared: 0 };
  await parts.subscriptions.refresh(revision, run);
  const recording = parts.startRecording({ createdDate, subscriptionRevision: revision });
  for (const candidates of candidateGroups(parts, rows)) {
    const judged = await judge(parts, candidates, run);
    await recording.add(await evaluateCandidates(judged, { run, links: parts.links }), run);
  }
  return { ...claim, ...(await recording.commit(transaction)) };
}

/** Of a few events at a time where many subscriptions hear of each, so that memory stays bounded. */
function* candidateGroups({ model, subscriptions }: BatchParts, rows: readonly EventRow[]): Generator<Candidate[]> {
  let group: Candidate[] = [];
  for (const row of rows) {
    const event = readEvent(row, model);
    if (!event) continue;
    for (const candidate of findCandidates(event, subscriptions.find)) group.push(candidate);
    if (group.length < candidatesInGroup) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

const candidatesInGroup = 10_000;

async function judge(parts: BatchParts, found: readonly Candidate[], run: Run): Promise<Candidate[]> {
  const begunOrEnded = await findBegunOrEnded(found, run);
  return found.filter(
    (candidate) =>
      isCollecting(candidate.subscription, candidate.event, parts.deactivatedKeepMs) &&
      judgeCandidate(candidate, begunOrEnded.has(pairName(candidate))) === undefined,
  );
}

function bytesOf(rows: readonly EventRow[]): number {
  return rows.reduce((sum, { old_row, new_row }) => sum + (old_row?.length ?? 0) + (new_row?.length ?? 0), 0);
}
