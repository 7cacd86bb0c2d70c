// Finds the change of a dry run: a real one, by its event, or a hypothetical one, of an object as it is now.

import type { Run } from '../database/database.ts';
import { type ChangeEvent, type Operation, readEvent } from '../events/change-event.ts';
import { type EventRow, selectEvents } from '../events/event-table.ts';
import { readStoredRow } from '../events/stored-row.ts';
import { possibleCandidates } from '../match/find-candidates.ts';
import type { Candidate } from '../match/judge-candidate.ts';
import type { Model } from '../model/object-type.ts';
import type { ActionCall } from '../objects/action-call.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { invalid } from './dry-run-subscription.ts';
import { selectImage } from './dry-run-table.ts';

/** What a change means to the subscription, and how its objects are loaded for evaluation. */
export interface TriedChange {
  candidates: readonly Candidate[];
  /** The same change, for loading. An object that was not deleted still has the objects that it owns. */
  loadedAs(candidate: Candidate): Candidate;
}

export interface ChangeParts {
  model: Model;
  /** Format: `yyyy-MM-ddTHH:mm:ss`. */
  now(): string;
}

/** A change may be in the hierarchies of very many objects. Only the first of them are evaluated. */
const candidatesMax = 100;

export async function findChange(
  parts: ChangeParts,
  { given }: ActionCall,
  subscription: Subscription,
  run: Run,
): Promise<TriedChange> {
  const [objectKey, eventId] = [numberOf(given.get('objectKey')), numberOf(given.get('event'))];
  const operation = (given.get('operation') ?? undefined) as Operation | undefined;
  if (eventId !== undefined) {
    if (operation !== undefined) throw invalid('operation', 'goes with objectKey; an event has its own.');
    return findStored(parts, { eventId, objectKey }, subscription, run);
  }
  if (objectKey === undefined) throw invalid('objectKey', 'is required, or event.');
  return inventChange(parts, { objectKey, operation }, subscription, run);
}

function numberOf(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : Number(text);
}

async function findStored(
  { model }: ChangeParts,
  { eventId, objectKey }: { eventId: number; objectKey: number | undefined },
  subscription: Subscription,
  run: Run,
): Promise<TriedChange> {
  const [rows = []] = await run(selectEvents([eventId]));
  const event = rows[0] && readEvent(rows[0] as unknown as EventRow, model);
  if (!event) throw invalid('event', `there is no event ${eventId}, or it is too old.`);
  const all = [...possibleCandidates(event, subscription)];
  const candidates = all.filter(
    ({ subscribedKey }) => objectKey === undefined || objectKey === event.key || objectKey === subscribedKey,
  );
  const { name } = subscription.type;
  if (all.length === 0)
    throw invalid('event', `there is no ${name} in it: ${event.type.name} ${event.key} is in the hierarchy of none.`);
  if (candidates.length === 0) throw invalid('objectKey', `there is no ${name} ${objectKey} in this event.`);
  return { candidates: candidates.slice(0, candidatesMax), loadedAs: (candidate) => candidate };
}

async function inventChange(
  { model, now }: ChangeParts,
  { objectKey, operation }: { objectKey: number; operation: Operation | undefined },
  subscription: Subscription,
  run: Run,
): Promise<TriedChange> {
  const type = model.types.get(subscription.type.name)!;
  const [rows = []] = await run(selectImage(type, objectKey));
  const text = rows[0]?.row;
  if (typeof text !== 'string') throw invalid('objectKey', `there is no ${type.name} with key ${objectKey}.`);
  const row = readStoredRow(text, type);
  const event = (op: Operation): ChangeEvent => ({
    id: 0,
    transactionId: 0,
    type,
    operation: op,
    key: objectKey,
    oldRow: op === 'C' ? null : row,
    newRow: op === 'D' ? null : row,
    roots: new Map(),
    userKey: null,
    time: now(),
    occurredAt: `${now()}.000000Z`,
    snapshot: null,
    isRepeated: false,
  });
  const candidate = { subscription, subscribedKey: objectKey, isMain: true };
  const wanted = operation ?? subscription.operation;
  return {
    candidates: [{ ...candidate, event: event(wanted) }],
    // Loaded as an update: both states are the object as it is now, which is what a delete shows.
    loadedAs: (tried) => (wanted === 'D' ? { ...candidate, event: event('U') } : tried),
  };
}
