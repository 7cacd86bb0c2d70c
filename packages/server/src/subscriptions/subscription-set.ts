// All subscriptions to match, compiled and in memory. The set has a revision. Before a batch is matched, the set
// catches up with the revision of the database and loads only what has changed since.

import { createHash } from 'node:crypto';
import type { Run } from '../database/database.ts';
import { EventLoopYield } from '../database/event-loop-yield.ts';
import { epochOf, numberOf } from '../database/server-epoch.ts';
import { parseSnapshot } from '../events/transaction-snapshot.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { listOf, onlyObjectType, readStoredEventTypes } from './event-types.ts';
import { Interned, type Shared } from './interned.ts';
import { subscribableTypes } from './subscribable-types.ts';
import {
  readCondition,
  readScriptFields,
  readSelection,
  readSubscription,
  readUntypedCondition,
  type SharedParts,
  type Subscription,
} from './subscription.ts';
import { SubscriptionIndex } from './subscription-index.ts';
import {
  type SubscriptionRow,
  selectChangedSubscriptions,
  selectOldestNote,
  selectSubscriptions,
} from './subscription-table.ts';

const pageRows = 2_000;

/** A subscription, and the shared values that it uses until it is dropped. */
interface Kept {
  readonly subscription: Subscription;
  readonly shared: readonly Shared[];
}

export class SubscriptionSet {
  /** The types that can be subscribed to, as subscribers see them. */
  readonly types: Model['types'];
  readonly #kept = new Map<number, Kept>();
  readonly #index = new SubscriptionIndex();
  readonly #interned = new Interned();
  /** With the epoch of the server (`server-epoch.ts`). Empty before the first load. */
  #revision = '';

  /** `types`: those of the model, if the caller has them already. */
  constructor(model: Model, types = subscribableTypes(model)) {
    this.types = types;
  }

  get size(): number {
    return this.#kept.size;
  }

  find: SubscriptionIndex['find'] = (typeName, operation, key) => this.#index.find(typeName, operation, key);

  /** Adds one subscription. A set that is not refreshed has these alone. */
  add(row: SubscriptionRow): void {
    this.#keep(row);
  }

  /** Brings the set to `revision`. `run` must see everything committed at that revision. */
  async refresh(revision: string, run: Run): Promise<void> {
    if (revision === this.#revision) return;
    if (await this.#canCatchUp(revision, run)) await this.#catchUp(run);
    else await this.#loadAll(run);
    this.#revision = revision;
  }

  async #canCatchUp(revision: string, run: Run): Promise<boolean> {
    if (epochOf(revision) !== epochOf(this.#revision) || numberOf(revision) < numberOf(this.#revision)) return false;
    const [rows] = await run(selectOldestNote());
    const oldest = rows?.[0]?.oldest;
    return typeof oldest === 'string' && Number(oldest) <= numberOf(this.#revision) + 1;
  }

  async #catchUp(run: Run): Promise<void> {
    const [rows = []] = await run(selectChangedSubscriptions(numberOf(this.#revision)));
    const loopYield = new EventLoopYield(run);
    for (const row of rows as unknown as (SubscriptionRow & { changed_key: string })[]) {
      this.#drop(Number(row.changed_key));
      if (row.key !== null && row.state !== 'UNSUBSCRIBED') this.#keep(row);
      if (loopYield.isDue()) await loopYield.wait();
    }
  }

  async #loadAll(run: Run): Promise<void> {
    const seen = new Set<number>();
    const loopYield = new EventLoopYield(run);
    for (let after = 0; ; ) {
      const [rows = []] = await run(selectSubscriptions(after, pageRows));
      for (const row of rows as unknown as SubscriptionRow[]) {
        after = Number(row.key);
        seen.add(after);
        this.#drop(after);
        this.#keep(row);
        if (loopYield.isDue()) await loopYield.wait();
      }
      if (rows.length < pageRows) break;
    }
    for (const key of [...this.#kept.keys()]) if (!seen.has(key)) this.#drop(key);
  }

  #keep(row: SubscriptionRow): void {
    const eventTypes = readStoredEventTypes(row.event_types);
    if (!eventTypes) return;
    const name = onlyObjectType(listOf(eventTypes));
    const type = name === undefined ? undefined : this.types.get(name);
    // The model no longer has this type, so it can have no events.
    if (name !== undefined && !type) return;
    const { created_snapshot } = row;
    const snapshot = this.#interned.take(created_snapshot, () => parseSnapshot(created_snapshot));
    const { parts, shared } = type ? this.#shareTyped(row, type) : { parts: untypedParts(row), shared: [] };
    const subscription = readSubscription(row, { ...parts, eventTypes, snapshot: snapshot.value });
    this.#kept.set(subscription.key, { subscription, shared: [snapshot, ...shared] });
    this.#index.add(subscription);
  }

  #shareTyped(row: SubscriptionRow, type: ObjectType): { parts: TypedParts; shared: Shared[] } {
    const share = <T>(column: string, text: string | null, make: () => T) =>
      this.#interned.take(sharedName(column, type, text), make);
    const { json, expression, alert_script_key, script_fields } = row;
    const selection = share('json', json, () => readSelection(json, type));
    const condition = share('expression', expression, () => readCondition(expression, type, this));
    const fields =
      alert_script_key === null ? [] : [share('fields', script_fields, () => readScriptFields(script_fields, type))];
    return {
      parts: { type, selection: selection.value, condition: condition.value, scriptFields: fields[0]?.value },
      shared: [selection, condition, ...fields],
    };
  }

  #drop(key: number): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#index.remove(kept.subscription);
    for (const value of kept.shared) this.#interned.release(value);
  }
}

/** The parts that depend on the type of the subscribed objects. */
type TypedParts = Omit<SharedParts, 'eventTypes' | 'snapshot'>;

function untypedParts(row: SubscriptionRow): TypedParts {
  return { type: undefined, selection: undefined, condition: readUntypedCondition(row), scriptFields: undefined };
}

/** Contains a hash, because the name stays in memory as long as the value. Null is not the text `null`. */
function sharedName(column: string, type: ObjectType, text: string | null): string {
  const hash = text === null ? '' : createHash('sha256').update(text).digest('base64');
  return `${column} ${type.name} ${hash}`;
}
