// The action `affected`: which subscriptions would be notified of a change that has not been saved. The change is made
// in a transaction that is rolled back, and its events are judged as matching does it.

import type { Run } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import { readEvent } from '../../events/change-event.ts';
import { type EventRow, selectLastEventId, selectOwnEvents } from '../../events/event-table.ts';
import { type JsonValue, parseJson } from '../../json/parse-json.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import { subscriberModel } from '../../model/subscriber-model.ts';
import type { ActionCall, ActionHandler } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { nameOf } from '../../objects/check-scalar.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import type { Objects } from '../../objects/objects.ts';
import type { Links } from '../../query/view-columns.ts';
import { findTypeMistake } from '../../subscriptions/normalise-event-type.ts';
import { subscribableTypes } from '../../subscriptions/subscribable-types.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
import { type Concerned, findConcerned } from './concerned-subscriptions.ts';
import { evaluateConcerned, type Outcome } from './evaluate-concerned.ts';

export interface AffectedParts {
  model: Model;
  links: Links;
  objects: Pick<Objects, 'tryOut'>;
}

/** A change of one row is one event. Those over the limit are not considered. */
const eventsMax = 50;

export function findAffected({ model, links, objects }: AffectedParts): ActionHandler {
  const types = subscribableTypes(model);
  const all = subscriberModel(model).types;
  return async (call) => {
    const { type, key, body } = readChange(call, all);
    const trial = { type, key, body, caller: call.caller };
    const { userKey } = call.caller;
    const found = await withPaths(() =>
      objects.tryOut(trial, async ({ run, write }) => {
        const events = await eventsOf({ run, write }, model);
        const concerned = await findConcerned(events, userKey, { model, types }, run);
        return { concerned, outcome: await evaluateConcerned(events, concerned, { run, model, links }) };
      }),
    );
    return JSON.stringify(describe(call, found));
  };
}

interface UnsavedChange {
  /** As the caller sees it. */
  type: ObjectType;
  key: number | undefined;
  body: JsonValue | undefined;
}

function readChange({ given, model }: ActionCall, all: Model['types']): UnsavedChange {
  const objectType = given.get('objectType')!;
  const mistake = findTypeMistake(objectType, all);
  const reject = (path: string, message: string) => rejectViolations([{ path, message }]);
  if (mistake !== undefined) reject('objectType', mistake);
  const sentKey = given.get('objectKey') ?? undefined;
  const sent = given.get('changes') ?? undefined;
  const key = sentKey === undefined ? undefined : Number(sentKey);
  const operation = given.get('operation') ?? (key === undefined ? 'C' : 'U');
  if (operation === 'C' && key !== undefined) reject('objectKey', 'goes without C: a new object has no key yet.');
  if (operation !== 'C' && key === undefined) reject('objectKey', `is required with ${operation}.`);
  if (operation === 'D' && sent !== undefined) reject('changes', 'goes without D: a deleted object is not changed.');
  if (operation !== 'D' && sent === undefined) reject('changes', 'is required: the attributes as in a POST or PUT.');
  const body = sent === undefined ? undefined : parseJson(sent);
  if (body !== undefined && !(body instanceof Map)) reject('changes', `must be an object, not ${nameOf(body)}.`);
  return { type: model.types.get(objectType)!, key, body };
}

/** Reports mistakes in the change with their path in this request. */
async function withPaths<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.violations)
      rejectViolations(error.violations.map(({ path, message }) => ({ path: `changes.${path}`, message })));
    if (error.code === 'notFound') rejectViolations([{ path: 'objectKey', message: error.message }]);
    throw error;
  }
}

async function eventsOf({ run, write }: { run: Run; write(): Promise<void> }, model: Model) {
  const [last] = await run(selectLastEventId());
  await write();
  const [rows = []] = await run(selectOwnEvents(Number(last![0]!.id), eventsMax));
  return (rows as unknown as EventRow[]).flatMap((row) => readEvent(row, model) ?? []);
}

/** How many subscriptions are listed. */
const listedMax = 100;

interface Found {
  concerned: Concerned;
  outcome: Outcome;
}

function describe({ type, caller }: ActionCall, { concerned, outcome }: Found) {
  const onlyUser = onlyUserFor(type, caller);
  const { matching, unknown } = outcome;
  const certain = [...matching].filter(isCertain);
  const uncertain = [...[...matching].filter((subscription) => !isCertain(subscription)), ...unknown];
  const isVisible = ({ userKey }: Subscription) => onlyUser === undefined || userKey === onlyUser;
  const list = (subscriptions: readonly Subscription[], isCertainly: boolean) =>
    subscriptions.filter(isVisible).map(({ key, userKey }) => {
      return { key, name: concerned.rows.get(key)!.name, userKey, certain: isCertainly };
    });
  return {
    subscriptions: [...list(certain, true), ...list(uncertain, false)].slice(0, listedMax),
    count: certain.length + uncertain.length + concerned.leftOut,
    uncertain: uncertain.length + concerned.leftOut,
  };
}

/** A script may decide otherwise. It is not run. */
function isCertain({ preparation }: Subscription): boolean {
  return preparation?.scriptView === undefined;
}
