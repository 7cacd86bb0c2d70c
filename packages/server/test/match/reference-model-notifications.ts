// Which notifications a change leads to, and what they show, according to the reference model.

import {
  type Change,
  type Operation,
  type Transaction,
  type TypeName,
  typeTable,
  type Value,
} from './reference-model.ts';
import { judgeExpression, type ModelExpression, type SeenChange, type Verdict } from './reference-model-expressions.ts';
import { type Seen, seenAfter, seenBefore } from './reference-model-visibility.ts';

export interface ModelSubscription {
  /** The key that the service gave it. */
  readonly key: number;
  readonly user: number;
  readonly type: TypeName;
  readonly operation: Operation;
  /** The subscribed object; null: all. */
  readonly mark: string | null;
  readonly onlyMainObject: boolean;
  readonly notSendMyChanges: boolean;
  readonly rawObject: boolean;
  readonly selection: Selection;
  readonly expression: ModelExpression | undefined;
}

/** What is read of an object: attributes, references (nested, or the mark alone) and collections. */
export interface Selection {
  /** Whether nothing else may be shown. */
  readonly isWhole: boolean;
  readonly attributes: readonly string[];
  readonly references: Readonly<Record<string, Selection | 'mark'>>;
  readonly collections: Readonly<Record<string, Selection>>;
}

export interface Prediction {
  readonly subscription: ModelSubscription;
  readonly change: Change;
  readonly subscribed: string;
  /** `true`, or the reason why not. */
  readonly verdict: Verdict;
  /** The compared part of the body and its expected value. */
  readonly shown: { selection: Selection; json: string };
  /** The subscription or what its expression reads is not known, so its result may differ. */
  isUncertain: boolean;
}

export function predict(
  subscription: ModelSubscription,
  transaction: Transaction & { user: number | null },
): Prediction[] {
  const isOwn = subscription.notSendMyChanges && transaction.user === subscription.user;
  if (isOwn) return [];
  return transaction.changes.flatMap((change) =>
    subscribedObjects(subscription, transaction, change).map((subscribed) =>
      predictOne(subscription, transaction, change, subscribed),
    ),
  );
}

function subscribedObjects(subscription: ModelSubscription, transaction: Transaction, change: Change): string[] {
  const { type, operation, mark, onlyMainObject } = subscription;
  const isMain = change.type === type && change.operation === operation;
  const begunOrEnded = new Set(transaction.changes.filter((each) => each.operation !== 'U').map((each) => each.mark));
  const typeOf = (hearer: string) => transaction.end.get(hearer)?.type;
  const above =
    operation === 'U' && !onlyMainObject
      ? [...change.hearers].filter((hearer) => typeOf(hearer) === type && !begunOrEnded.has(hearer))
      : [];
  return [...(isMain ? [change.mark] : []), ...above].filter((subscribed) => mark === null || mark === subscribed);
}

function predictOne(
  subscription: ModelSubscription,
  transaction: Transaction,
  change: Change,
  subscribed: string,
): Prediction {
  const isMain = subscribed === change.mark;
  const old = isMain && change.operation === 'C' ? null : seenBefore(transaction, change, subscribed);
  const now = isMain && change.operation === 'D' ? old! : seenAfter(transaction, change, subscribed)!;
  const { expression, selection } = subscription;
  // The interface does not define the surroundings of an object that its own transaction creates or deletes besides.
  const { start, end } = transaction;
  const isUnsaid = isMain && !(change.operation === 'D' ? start : end).has(subscribed);
  const compared = isUnsaid ? ownSelection(subscription.type) : selection;
  return {
    subscription,
    change,
    subscribed,
    verdict: expression ? judgeExpression(expression, now, old, seeChanged(transaction, change)) : 'true',
    shown: { selection: compared, json: JSON.stringify(project(now, compared)) },
    isUncertain: isUnsaid && expression?.reads === 'more',
  };
}

function seeChanged(transaction: Transaction, change: Change): SeenChange {
  const { type, operation, mark } = change;
  const old = operation === 'C' ? null : seenBefore(transaction, change, mark);
  return { type, old, now: operation === 'D' ? old! : seenAfter(transaction, change, mark)! };
}

export type Projected = { [name: string]: Value | Projected | Projected[] };

function project(seen: Seen, { attributes, references, collections }: Selection): Projected {
  const projected: Projected = { externalObjectKey: seen.mark };
  for (const name of attributes) projected[name] = seen.value(name);
  for (const [name, inside] of Object.entries(references)) {
    const target = seen.reference(name);
    projected[name] = target && (inside === 'mark' ? target.mark : project(target, inside));
  }
  for (const [name, inside] of Object.entries(collections))
    projected[name] = byMark(seen.elements(name).map((element) => project(element, inside)));
  return projected;
}

/** Their order is not compared. */
export function byMark(elements: Projected[]): Projected[] {
  const markOf = ({ externalObjectKey }: Projected) => String(externalObjectKey);
  return elements.sort((a, b) => (markOf(a) < markOf(b) ? -1 : 1));
}

export function ownSelection(type: TypeName): Selection {
  const { attributes } = typeTable[type];
  return { isWhole: false, attributes: Object.keys(attributes), references: {}, collections: {} };
}

/** Own attributes, references by key, sub-objects without theirs. */
export function defaultSelection(type: TypeName): Selection {
  const { collections } = typeTable[type];
  return {
    ...ownSelection(type),
    references: Object.fromEntries(referencesOf(type).map(([name]) => [name, 'mark'])),
    collections: mapValues(collections, (of) => ownSelection(of)),
  };
}

/** Follows all references and collections, but not back. */
export function deepSelection(type: TypeName): Selection {
  return {
    ...ownSelection(type),
    isWhole: true,
    references: Object.fromEntries(referencesOf(type).map(([name, to]) => [name, wholeSelection(to)])),
    collections: mapValues(typeTable[type].collections, (of) => wholeSelection(of)),
  };
}

function wholeSelection(type: TypeName): Selection {
  const collections = mapValues(typeTable[type].collections, (of) => ({ ...ownSelection(of), isWhole: true }));
  return { ...ownSelection(type), isWhole: true, collections };
}

function referencesOf(type: TypeName): [name: string, to: TypeName][] {
  const { owner, portCall } = typeTable[type];
  return [
    ...(owner ? [[owner.name, owner.type] as [string, TypeName]] : []),
    ...(portCall ? [['portCall', 'PortCall'] as [string, TypeName]] : []),
  ];
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
