// Finds the change of a dry run: a real one, by its event, or a hypothetical one, of an object as it is now.

import type { Run } from '../../database/database.ts';
import { type ChangeEvent, type Operation, readEvent } from '../../events/change-event.ts';
import { type EventRow, selectEvents } from '../../events/event-table.ts';
import { readStoredRow } from '../../events/stored-row.ts';
import { possibleCandidates } from '../../match/find-candidates.ts';
import type { Candidate } from '../../match/judge-candidate.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import type { ActionCall } from '../../objects/action-call.ts';
import { coversType, wildcard } from '../../subscriptions/event-type.ts';
import { listOf, onlyObjectType } from '../../subscriptions/event-types.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
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
  /** The types that can be subscribed to, as subscribers see them. */
  types: Model['types'];
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
  { model, types }: ChangeParts,
  { eventId, objectKey }: { eventId: number; objectKey: number | undefined },
  subscription: Subscription,
  run: Run,
): Promise<TriedChange> {
  const [rows = []] = await run(selectEvents([eventId]));
  const event = rows[0] && readEvent(rows[0] as unknown as EventRow, model);
  if (!event) throw invalid('event', `there is no event ${eventId}, or it is too old.`);
  const all = [...possibleCandidates(event, subscription, types)];
  const candidates = all.filter(
    ({ subscribedKey }) => objectKey === undefined || objectKey === event.key || objectKey === subscribedKey,
  );
  const name = nameSubscribed(subscription);
  if (all.length === 0)
    throw invalid('event', `there is no ${name} in it: ${event.type.name} ${event.key} is in the hierarchy of none.`);
  if (candidates.length === 0) throw invalid('objectKey', `there is no ${name} ${objectKey} in this event.`);
  return { candidates: candidates.slice(0, candidatesMax), loadedAs: (candidate) => candidate };
}

/** The type of the subscribed objects, for messages. */
function nameSubscribed(subscription: Subscription): string {
  return onlyObjectType(listOf(subscription)) ?? 'subscribed object';
}

async function inventChange(
  parts: ChangeParts,
  { objectKey, operation }: { objectKey: number; operation: Operation | undefined },
  subscription: Subscription,
  run: Run,
): Promise<TriedChange> {
  const { type, text } = await findObject(parts, objectKey, subscription, run);
  const stored = parts.model.types.get(type.name)!;
  const row = readStoredRow(text, stored);
  const event = (op: Operation): ChangeEvent => ({
    id: 0,
    transactionId: 0,
    type: stored,
    operation: op,
    key: objectKey,
    oldRow: op === 'C' ? null : row,
    newRow: op === 'D' ? null : row,
    roots: new Map(),
    userKey: null,
    time: parts.now(),
    occurredAt: `${parts.now()}.000000Z`,
    snapshot: null,
    isRepeated: false,
  });
  const candidate = { subscription, type, subscribedKey: objectKey, isMain: true };
  const wanted = operation ?? defaultOperation(subscription, type, objectKey);
  return {
    candidates: [{ ...candidate, event: event(wanted) }],
    // Loaded as an update: both states are the object as it is now, which is what a delete shows.
    loadedAs: (tried) => (wanted === 'D' ? { ...candidate, event: event('U') } : tried),
  };
}

/** A key names one object in the whole installation, so at most one of the subscribed types has it. */
async function findObject(
  { model, types }: ChangeParts,
  objectKey: number,
  subscription: Subscription,
  run: Run,
): Promise<{ type: ObjectType; text: string }> {
  const eventTypes = listOf(subscription);
  const subscribed = [...types.values()].filter(({ name }) => eventTypes.some((each) => coversType(each, name)));
  const found = await run(...subscribed.map(({ name }) => selectImage(model.types.get(name)!, objectKey)));
  const at = found.findIndex((rows) => typeof rows[0]?.row === 'string');
  if (at < 0) throw invalid('objectKey', `there is no ${nameSubscribed(subscription)} with key ${objectKey}.`);
  return { type: subscribed[at]!, text: found[at]![0]!.row as string };
}

/** That of the first event type for the object, or else for its type. */
function defaultOperation(subscription: Subscription, { name }: ObjectType, objectKey: number): Operation {
  const ofType = listOf(subscription).filter((eventType) => coversType(eventType, name));
  const ofObject = ofType.find((eventType) => eventType.objectKey === null || eventType.objectKey === objectKey);
  const operation = (ofObject ?? ofType[0])!.operation;
  return operation === wildcard ? 'U' : operation;
}
