// Compares what the service has stored (events, notifications and reasons of suppressed matches) with what the
// reference model predicts: none missing, none twice, no others.

import type pg from 'pg';
import type { SequenceRun, Subscribed } from './model-based-sequence.ts';
import type { Change } from './reference-model.ts';
import { byMark, type Prediction, type Projected, type Selection } from './reference-model-notifications.ts';

export interface Compared {
  transactions: number;
  changes: number;
  /** Requests and transactions that both sides rejected. */
  refused: number;
  subscriptions: number;
  notified: number;
  suppressed: number;
  uncertain: number;
  /** Printed after the log of its sequence, because readers see the end of a long output. */
  problems: string[];
}

interface StoredNotification {
  subscription: number;
  event_id: string;
  object_type: string;
  object_key: number;
  event_type: string;
  subscribed_object_key: number;
  body: string;
}

interface StoredEvent {
  id: string;
  operation: string;
  object_key: number;
  mark: string;
}

/** `prefix`: the start of the marks of all objects in these runs. */
export async function compare(pool: pg.Pool, runs: readonly SequenceRun[], prefix: string): Promise<Compared> {
  const { rows: events } = await pool.query<StoredEvent>(
    `select id::text, operation, object_key::int, coalesce(new_row, old_row) ->> 'external_object_key' as mark
     from flaghoist_system.event e where coalesce(new_row, old_row) ->> 'external_object_key' like $1 order by e.id`,
    [`${prefix}%`],
  );
  const keys = runs.flatMap(({ subscribed }) => subscribed.map(({ model }) => model.key));
  const { rows: notifications } = await pool.query<StoredNotification>(
    `select subscription::int, split_part(id, '-', 1) as event_id, object_type, object_key::int, event_type,
       subscribed_object_key::int, flaghoist_system.body(key) as body from flaghoist_service.webhook_notification
         where subscription = any($1)`,
    [keys],
  );
  const { rows: suppressed } = await pool.query<{
    event_id: string;
    subscription: number;
    object: number;
    reason: string;
  }>(
    `select event_id::text, subscription_key::int as subscription, object_key::int as object, reason
     from flaghoist_system.suppressed_match where subscription_key = any($1)`,
    [keys],
  );
  const books = new Books(events, runs);
  const found = new Map<string, string[]>();
  const put = (name: string, value: string) => found.set(name, [...(found.get(name) ?? []), value]);
  for (const row of notifications)
    put(books.nameOf(row.subscription, row.event_id, row.subscribed_object_key), row.body);
  for (const row of suppressed) put(books.nameOf(row.subscription, row.event_id, row.object), row.reason);
  return books.balance(found);
}

class Books {
  readonly #runs: readonly SequenceRun[];
  readonly #marks = new Map<number, string>();
  /** Event → `mark#1 C`: the first change of an object. */
  readonly #changes = new Map<string, string>();
  readonly #problems: string[] = [];

  constructor(events: readonly StoredEvent[], runs: readonly SequenceRun[]) {
    this.#runs = runs;
    const counts = new Map<string, number>();
    for (const { id, operation, object_key, mark } of events) {
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
      this.#marks.set(object_key, mark);
      this.#changes.set(id, `${mark}#${counts.get(mark)} ${operation}`);
    }
  }

  nameOf(subscription: number, eventId: string, subscribedKey: number): string {
    return `${subscription} ${this.#changes.get(eventId)} ${this.#marks.get(subscribedKey)}`;
  }

  balance(found: Map<string, string[]>): Compared {
    const numbers = this.#numberChanges();
    const total = (count: (run: SequenceRun) => number) => this.#runs.reduce((sum, run) => sum + count(run), 0);
    const sum = {
      transactions: total(({ committed }) => committed.length),
      changes: numbers.size,
      refused: total(({ refused }) => refused),
      subscriptions: total(({ subscribed }) => subscribed.length),
      ...{ notified: 0, suppressed: 0, uncertain: 0 },
    };
    for (const run of this.#runs)
      for (const subscribed of run.subscribed)
        for (const prediction of subscribed.predictions) {
          const name = `${subscribed.model.key} ${numbers.get(prediction.change)} ${prediction.subscribed}`;
          const there = found.get(name) ?? [];
          found.delete(name);
          const problem = this.#judge(prediction, there);
          if (problem) this.#tell(run, subscribed, `${name}: ${problem}`);
          if (prediction.isUncertain) sum.uncertain += 1;
          else if (prediction.verdict === 'true') sum.notified += 1;
          else sum.suppressed += 1;
        }
    for (const [name, there] of found) this.#tellStranger(name, there);
    return { ...sum, problems: this.#problems };
  }

  /** The changes of the model, by the names of their events. Each must exist, and no other. */
  #numberChanges(): Map<Change, string> {
    const names = new Map<Change, string>();
    const counts = new Map<string, number>();
    for (const run of this.#runs)
      for (const change of run.committed.flatMap(({ changes }) => changes)) {
        counts.set(change.mark, (counts.get(change.mark) ?? 0) + 1);
        names.set(change, `${change.mark}#${counts.get(change.mark)} ${change.operation}`);
      }
    const expected = new Set(names.values());
    const events = new Set(this.#changes.values());
    for (const name of expected) if (!events.has(name)) this.#tellEvent(`no event ${name}`, name);
    for (const name of events) if (!expected.has(name)) this.#tellEvent(`an event too many: ${name}`, name);
    return names;
  }

  #tellEvent(problem: string, change: string): void {
    const run = this.#runs.find(({ name }) => change.startsWith(`${name}.`))!;
    const expected = run.committed.map(({ changes }) =>
      changes.map(({ mark, operation }) => `${mark} ${operation}`).join(', '),
    );
    this.#problems.push(`sequence ${run.name}:\n${run.log.join('\n')}\n${problem}\nexpected ${expected.join('; ')}`);
  }

  #judge(
    { verdict, isUncertain, shown, subscription, change }: Prediction,
    there: readonly string[],
  ): string | undefined {
    if (there.length > 1) return `there ${there.length} times`;
    const [body] = there;
    const outcome = body === undefined ? 'nothing' : body.startsWith('EXPRESSION_') ? body : 'true';
    if (!isUncertain && outcome !== verdict) return `expected ${verdict}, found ${outcome}`;
    if (outcome !== 'true') return undefined;
    const parsed = JSON.parse(body!);
    const isEnvelope =
      subscription.rawObject ||
      (this.#marks.get(parsed.serviceObject) === change.mark &&
        parsed.objectType === change.type &&
        parsed.eventType === change.operation &&
        parsed.subscription.key === subscription.key);
    if (!isEnvelope) return `not its envelope: ${body}`;
    if (isUncertain) return undefined;
    const resource = subscription.rawObject ? parsed : parsed.resource;
    const json = JSON.stringify(this.#project(resource, shown.selection));
    return json === shown.json ? undefined : `expected to show ${shown.json}, shows ${json}`;
  }

  #project(shown: Record<string, never> | null, selection: Selection): Projected | null {
    if (shown === null) return null;
    const { attributes, references, collections, isWhole } = selection;
    const projected: Projected = { externalObjectKey: shown.externalObjectKey! };
    for (const name of attributes) projected[name] = shown[name]!;
    for (const [name, inside] of Object.entries(references)) {
      const target = shown[name] as unknown as Record<string, never> | null;
      if (target === null) projected[name] = null;
      else projected[name] = inside === 'mark' ? (this.#marks.get(target.key!) ?? '?') : this.#project(target, inside);
    }
    for (const [name, inside] of Object.entries(collections))
      projected[name] = byMark((shown[name] as never as never[]).map((element) => this.#project(element, inside)!));
    const strangers = Object.keys(shown).filter((name) => !(name in projected) && name !== 'key' && name !== 'self');
    return isWhole && strangers.length > 0 ? { ...projected, strangers: strangers.join(' ') } : projected;
  }

  #tell({ log, name }: SequenceRun, { model }: Subscribed, problem: string): void {
    const { type, operation, mark, expression, ...rest } = model;
    const about =
      `${type}.${operation}.${mark} ${expression?.text ?? ''} ` +
      `${JSON.stringify({ ...rest, selection: undefined })}`;
    this.#problems.push(`sequence ${name}:\n${log.join('\n')}\n${problem}\n${about}`);
  }

  #tellStranger(name: string, there: readonly string[]): void {
    const key = Number(name.split(' ')[0]);
    const run = this.#runs.find(({ subscribed }) => subscribed.some(({ model }) => model.key === key))!;
    const subscribed = run.subscribed.find(({ model }) => model.key === key)!;
    this.#tell(run, subscribed, `${name}: not expected, found ${there.length}: ${there[0]}`);
  }
}
