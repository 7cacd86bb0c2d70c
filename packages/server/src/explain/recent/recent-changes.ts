// Finds the newest changes that the event types of a subscription cover: real events, with the objects that the
// subscription would be notified of.

import type { Run } from '../../database/database.ts';
import { entryOf } from '../../entry-of.ts';
import { type ChangeEvent, type Operation, readEvent } from '../../events/change-event.ts';
import { type EventRow, selectEvents } from '../../events/event-table.ts';
import { possibleCandidates } from '../../match/find-candidates.ts';
import { type Candidate, judgeCandidates, occurrenceOf, type RuleReason } from '../../match/judge-candidate.ts';
import { typesBelow } from '../../model/hierarchy.ts';
import type { Model } from '../../model/object-type.ts';
import { coversOperation, coversType, type EventType } from '../../subscriptions/event-type.ts';
import { findEventType, listOf } from '../../subscriptions/event-types.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
import { type Coverage, selectCovered } from './recent-table.ts';

export interface RecentChange {
  event: ChangeEvent;
  /** Never empty. */
  candidates: readonly JudgedCandidate[];
}

export interface JudgedCandidate {
  candidate: Candidate;
  /** The rule that rejects it, if any. */
  rule: RuleReason | undefined;
}

/** A change may be in the hierarchies of very many objects. Only the first of them are considered. */
const candidatesMax = 10;

/**
 * A new object comes with an event for each of its sub-objects. None of those is an update of the object, so more events
 * than wanted are read.
 */
const eventsReadMax = 500;

export interface RecentParts {
  model: Model;
  /** The types that can be subscribed to, as subscribers see them. */
  types: Model['types'];
}

/** Newest first. */
export async function findRecentChanges(
  parts: RecentParts,
  subscription: Subscription,
  changesMax: number,
  run: Run,
): Promise<RecentChange[]> {
  const coverage = coverageOf(listOf(subscription), parts);
  const readCovered = async (eventsMax: number) => {
    const [rows = []] = await run(selectCovered(coverage, eventsMax));
    const found = (rows as unknown as EventRow[]).flatMap((row) => readEvent(row, parts.model) ?? []);
    const covered = await coveredCandidates(found, subscription, parts.types, run);
    return { covered, isAll: rows.length < eventsMax };
  };
  let { covered, isAll } = await readCovered(2 * changesMax);
  if (covered.size < changesMax && !isAll) ({ covered } = await readCovered(eventsReadMax));
  const chosen = new Map([...covered].slice(0, changesMax));
  if (chosen.size === 0) return [];
  const [whole = []] = await run(selectEvents([...chosen.keys()]));
  return (whole as unknown as EventRow[])
    .flatMap((row) => readEvent(row, parts.model) ?? [])
    .map((event) => {
      const candidates = chosen
        .get(event.id)!
        .map(({ candidate, rule }) => ({ candidate: { ...candidate, event }, rule }));
      return { event, candidates };
    })
    .reverse();
}

/** By the id of their event. An event is left out if nothing of it concerns the subscription. */
async function coveredCandidates(
  events: readonly ChangeEvent[],
  subscription: Subscription,
  types: Model['types'],
  run: Run,
): Promise<Map<number, JudgedCandidate[]>> {
  const { onlyMainObject } = subscription;
  // Changes that came with a new object are recognised first, whether changes in hierarchies are wanted or not.
  const judged = { ...subscription, onlyMainObject: false };
  const candidates = events.flatMap((event) => {
    const possible = [...possibleCandidates(event, judged, types)];
    return possible.filter((each) => findEventType(judged, occurrenceOf(each))).slice(0, candidatesMax);
  });
  const rejected = await judgeCandidates(candidates, run);
  const covered = new Map<number, JudgedCandidate[]>();
  for (const candidate of candidates) {
    const rule = rejected.get(candidate);
    // The object itself is new or deleted, so this is no update of it.
    if (rule === 'SAME_TRANSACTION') continue;
    const ofEvent = entryOf(covered, candidate.event.id, (): JudgedCandidate[] => []);
    const isExcluded = onlyMainObject && !candidate.isMain;
    ofEvent.push({ candidate: { ...candidate, subscription }, rule: isExcluded ? 'ONLY_MAIN_OBJECT' : rule });
  }
  return covered;
}

const operations: readonly Operation[] = ['C', 'U', 'D'];

function coverageOf(eventTypes: readonly EventType[], { model, types }: RecentParts): Coverage {
  const subscribed = [...types.values()].filter(({ name }) => eventTypes.some((each) => coversType(each, name)));
  const changes = new Set<string>();
  const [roots, rootObjects, objectKeys] = [new Set<string>(), new Set<string>(), new Set<number>()];
  const changedTypes = new Set<string>();
  for (const type of subscribed) {
    const { name } = type;
    changedTypes.add(name);
    for (const operation of operations) {
      const covering = eventTypes.filter((each) => coversOperation(each, { objectType: name, operation }));
      for (const { objectKey } of covering) {
        changes.add(`${name}.${operation}${objectKey === null ? '' : `.${objectKey}`}`);
        if (objectKey !== null) objectKeys.add(objectKey);
        if (operation !== 'U') continue;
        for (const below of typesBelow(model, model.types.get(name)!)) changedTypes.add(below.name);
        if (objectKey === null) roots.add(name);
        else rootObjects.add(JSON.stringify({ [name]: [objectKey] }));
      }
    }
  }
  return {
    changedTypes: [...changedTypes],
    changes: [...changes],
    roots: [...roots],
    rootObjects: [...rootObjects],
    objectKeys: [...objectKeys],
  };
}
