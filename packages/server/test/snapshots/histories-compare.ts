// Compares the notifications of a round with what the events say: none missing, none twice, no others, and every body
// byte for byte.

import { type Fold, type HistoryEvent, render, type State, type TypeName } from './histories-oracle.ts';
import type { SelectedType, Subscribed } from './histories-subscriptions.ts';
import type { Ran } from './histories-writers.ts';

export interface Notified {
  subscription: number;
  event: number;
  /** The subscribed object. */
  object: number;
  body: string;
}

export interface Round {
  readonly fold: Fold;
  /** Those of the writers. */
  readonly changes: readonly HistoryEvent[];
  readonly subscriptions: readonly Subscribed[];
  readonly notified: readonly Notified[];
  readonly restUrl: string;
}

export interface Compared {
  readonly problems: string[];
  bodies: number;
  /** That show something else than there is after the round. */
  takenBack: number;
  conditions: number;
}

export function compareRound(round: Round): Compared {
  const { changes, subscriptions, notified } = round;
  const compared: Compared = { problems: [], bodies: 0, takenBack: 0, conditions: 0 };
  const found = new Map<string, Notified[]>();
  for (const each of notified) found.set(nameOf(each), [...(found.get(nameOf(each)) ?? []), each]);
  for (const event of changes)
    for (const subscription of subscriptions)
      for (const [object, isRequired] of expectedObjects(round.fold, event, subscription)) {
        const name = nameOf({ subscription: subscription.key, event: event.id, object });
        const there = found.get(name) ?? [];
        found.delete(name);
        const tell = (what: string) => compared.problems.push(`${describe(event, subscription, object)}: ${what}`);
        if (there.length > 1) tell(`notified ${there.length} times`);
        compareOne({ round, event, subscription, object, isRequired, compared, tell }, there[0]?.body);
      }
  for (const [first] of found.values())
    if (!isAllowed(round, first!)) compared.problems.push(`${describeFound(round, first!)}: not expected`);
  return compared;
}

function isAllowed({ fold, changes }: Round, { event, object }: Notified): boolean {
  const change = changes.find(({ id }) => id === event);
  if (!change) return false;
  // If the COMMIT does not see what others have committed, hierarchies are also those when it is matched.
  return change.committed === null || fold.hearersMeanwhile(change, change.committed).has(object);
}

function nameOf({ subscription, event, object }: Omit<Notified, 'body'>): string {
  return `${subscription} ${event} ${object}`;
}

function describe(event: HistoryEvent, { type, operation }: Subscribed, object: number): string {
  return `${event.type}.${event.operation}.${event.key} (event ${event.id}) to ${type}.${operation} of ${object}`;
}

function describeFound({ changes, subscriptions }: Round, { subscription, event, object }: Notified): string {
  const change = changes.find(({ id }) => id === event);
  return change
    ? describe(change, subscriptions.find(({ key }) => key === subscription)!, object)
    : `event ${event}, which is none of the writers'`;
}

/**
 * Whether the notification is required, by the key of the subscribed object. It is if the object has the change in its
 * hierarchy at COMMIT. It is optional if later changes of the same transaction, which are notified themselves, have
 * brought the change there or taken it away, or if another transaction has taken it away since it was written.
 */
function expectedObjects(fold: Fold, event: HistoryEvent, subscription: Subscribed): Map<number, boolean> {
  const expected = new Map<number, boolean>();
  const { type, operation } = subscription;
  if (event.type === type && event.operation === operation) expected.set(event.key, true);
  if (operation !== 'U') return expected;
  const atStatement = fold.hearers(event, event.seen);
  const committed = event.committed ?? fold.seesUntil(event);
  const atCommit = fold.hearers(event, committed);
  const afterAll = fold.hearers(event, committed, 'all');
  const isKnown = (object: number) => event.committed !== null && afterAll.has(object);
  for (const [object, hearerType] of [...fold.hearersOfDeletedOwner(event), ...atStatement, ...atCommit, ...afterAll])
    if (hearerType === type && !fold.isCreatedOrDeletedWith(event, object))
      expected.set(object, atCommit.has(object) && (atStatement.has(object) || isKnown(object)));
  return expected;
}

interface One {
  round: Round;
  event: HistoryEvent;
  subscription: Subscribed;
  object: number;
  isRequired: boolean;
  compared: Compared;
  tell: (what: string) => void;
}

function compareOne({ round, event, subscription, object, isRequired, compared, tell }: One, body?: string): void {
  const { fold, restUrl } = round;
  const { type, selection, condition } = subscription;
  if (!event.committed) {
    const exists = fold.stateOf(() => true).row(object) !== null;
    if (!body && isRequired && exists && !condition) tell('missing');
    if (body && event.key === object && !fold.isRepeated(event)) compareOwn(event, subscription, { body, tell });
    return;
  }
  const isDelete = event.operation === 'D' && event.key === object;
  const old = fold.stateAt(event, event.committed, 'before');
  const now = isDelete ? old : fold.stateAt(event, event.committed, 'after');
  if (condition) {
    const isTrue = now.row(object) !== null && condition.holds(object, now, old);
    compared.conditions += 1;
    if (isTrue !== (body !== undefined) && (isRequired || body)) tell(`the condition is ${isTrue}`);
  } else if (!body && isRequired && now.row(object)) tell('missing');
  if (body === undefined) return;
  compared.bodies += 1;
  const expected = render(now, type, object, selection, restUrl);
  const isSame = subscription.isRaw ? body === expected : body.includes(`"resource":${expected}`);
  if (expected === 'null') tell('notified, although it does not exist');
  if (!isSame) tell(`expected ${expected}, found ${body}`);
  if (
    expected !==
    render(
      fold.stateOf(() => true),
      type,
      object,
      selection,
      restUrl,
    )
  )
    compared.takenBack += 1;
}

/** Without a snapshot, only the changed row is certain. */
function compareOwn(
  { newRow, oldRow }: HistoryEvent,
  { type, selection, isRaw }: Subscribed,
  { body, tell }: { body: string; tell: One['tell'] },
): void {
  const own = Object.fromEntries(Object.entries(selection).filter(([, selected]) => selected === '*'));
  const row = newRow ?? oldRow!;
  const expected = JSON.parse(render({ row: () => row, referring: () => [] }, type, row.key, own, ''));
  const shown = isRaw ? JSON.parse(body) : JSON.parse(body).resource;
  for (const name of Object.keys(own))
    if (shown[name] !== expected[name]) tell(`expected ${name} ${expected[name]}, found ${body}`);
}

/** Of transactions that share a subscribed object, the events of the later one have the higher ids. */
export function checkOrder(round: Round, transactions: readonly Ran[]): { problems: string[]; pairs: number } {
  const byTransaction = new Map<number, HistoryEvent[]>();
  for (const each of round.changes)
    byTransaction.set(each.transaction, [...(byTransaction.get(each.transaction) ?? []), each]);
  const objectsOf = new Map<number, Set<number>>();
  const idToTransaction = new Map(round.changes.map(({ id, transaction }) => [id, transaction]));
  for (const { event, object } of round.notified) {
    const transaction = idToTransaction.get(event)!;
    objectsOf.set(transaction, (objectsOf.get(transaction) ?? new Set()).add(object));
  }
  const ran = transactions.flatMap(({ begun, ended, transaction }) => {
    const events =
      typeof transaction === 'number' ? byTransaction.get(transaction) : writtenBy(round, transaction, byTransaction);
    if (!events) return [];
    const ids = events.map(({ id }) => id);
    return [{ begun, ended, ids, objects: objectsOf.get(events[0]!.transaction) ?? new Set<number>() }];
  });
  const problems: string[] = [];
  let pairs = 0;
  for (const a of ran)
    for (const b of ran) {
      if (a.ended > b.begun || ![...a.objects].some((object) => b.objects.has(object))) continue;
      pairs += 1;
      if (Math.max(...a.ids) > Math.min(...b.ids)) problems.push(`events ${a.ids} committed before ${b.ids}`);
    }
  return { problems, pairs };
}

function writtenBy(
  { changes }: Round,
  externalKey: string,
  byTransaction: ReadonlyMap<number, HistoryEvent[]>,
): HistoryEvent[] | undefined {
  const written = changes.find(({ newRow }) => newRow?.external_object_key === externalKey);
  return written && byTransaction.get(written.transaction);
}

export interface LastBody {
  type: SelectedType;
  key: number;
  body: string;
}

/** The body with the highest event id of each object that exists now. */
export function lastBodies({ subscriptions, notified, fold }: Round): LastBody[] {
  const last = new Map<string, Notified & { type: TypeName }>();
  const bySubscription = new Map(subscriptions.map((each) => [each.key, each]));
  for (const each of notified) {
    const { type, operation, condition, isRaw } = bySubscription.get(each.subscription)!;
    if (condition || operation === 'D' || type === 'Vessel') continue;
    const name = `${type} ${each.object}`;
    const body = isRaw ? each.body : JSON.stringify(JSON.parse(each.body).resource);
    if ((last.get(name)?.event ?? 0) < each.event) last.set(name, { ...each, type, body });
  }
  const final: State = fold.stateOf(() => true);
  return [...last.values()]
    .filter(({ object }) => final.row(object))
    .map(({ type, object, body }) => ({ type: type as SelectedType, key: object, body }));
}

/** An object without what is outside of its hierarchy, whose changes are not notified. */
export function hierarchyOnly(json: string): string {
  const outside = (self: unknown, name: string) =>
    name === 'vessel' || name === 'voyage' || (name === 'portCall' && !String(self).includes('/BunkerOrder/'));
  return JSON.stringify(JSON.parse(json), function (this: { self?: unknown }, name, value) {
    return outside(this.self, name) ? undefined : value;
  });
}
