// Runs one sequence in the reference model and on the service. The service must reject exactly what the model rejects.

import type pg from 'pg';
import { expect } from 'vitest';
import type { TestClient } from '../support/access.ts';
import type { Fleet } from '../support/fleet.ts';
import type { Answer, TestService } from '../support/test-service.ts';
import {
  firstObjects,
  pick,
  type Request,
  type Resolved,
  type Round,
  resolve,
  type SubscriptionWish,
} from './model-based-wishes.ts';
import { renderRequest, renderSql, tableOf } from './model-based-writing.ts';
import {
  carryOut,
  carryOutUnchecked,
  type Statement,
  type Transaction,
  type TypeName,
  typeNames,
  type World,
} from './reference-model.ts';
import { expressionsOf } from './reference-model-expressions.ts';
import {
  deepSelection,
  defaultSelection,
  type ModelSubscription,
  ownSelection,
  type Prediction,
  type Selection,
} from './reference-model-notifications.ts';

export interface Ground {
  service: TestService;
  fleet: Fleet;
  users: readonly TestClient[];
}

/** A subscription and its state. */
export interface Subscribed {
  model: ModelSubscription;
  state: 'ACTIVE' | 'UNSUBSCRIBED' | 'DELETED';
  predictions: Prediction[];
}

export interface Committed extends Transaction {
  user: number | null;
}

export class SequenceRun {
  readonly log: string[] = [];
  readonly subscribed: Subscribed[] = [];
  readonly committed: Committed[] = [];
  /** How often both sides rejected. */
  refused = 0;
  readonly name: string;
  readonly #ground: Ground;
  readonly #mayBeWide: boolean;
  readonly #types = new Map<string, TypeName>();
  readonly #keys = new Map<string, number>();
  #world: World = new Map();
  #begun: { client: pg.PoolClient; planned: Planned } | undefined;

  constructor(name: string, ground: Ground, mayBeWide: boolean) {
    this.name = name;
    this.#ground = ground;
    this.#mayBeWide = mayBeWide;
  }

  async start(): Promise<void> {
    const statements = firstObjects(this.#newMark);
    this.#remember(statements);
    await this.#carryOutSql({ statements, sql: statements.map(this.#render), user: null, isRolledBack: false });
  }

  /** For changes in progress while subscriptions are created. Not for deletes: a subscription needs its object. */
  async begin(round: Round): Promise<void> {
    if (round.via !== 'SQL' || !round.isEarly) return;
    const planned = this.#plan(round);
    if (planned.sql.length === 0 || planned.statements.some(({ kind }) => kind === 'delete')) return;
    const client = await this.#ground.service.database.pool.connect();
    this.#begun = { client, planned };
    await client.query(this.#opening(planned));
  }

  async change(round: Round): Promise<void> {
    if (this.#begun) {
      const { client, planned } = this.#begun;
      this.#begun = undefined;
      try {
        await this.#conclude(planned, () => client.query(endOf(planned)));
      } finally {
        client.release();
      }
    } else if (round.via === 'SQL') await this.#carryOutSql(this.#plan(round));
    else await this.#carryOutRequest(round);
  }

  async subscribe(wish: SubscriptionWish, inTheAir: readonly Prediction[]): Promise<void> {
    if (wish.kind === 'subscribe') return await this.#create(wish);
    const subscribed = pick(
      this.subscribed.filter(({ state }) => state !== 'DELETED'),
      wish.at,
    );
    if (!subscribed) return;
    const path = `/ws/rest/WebhookSubscription/${subscribed.model.key}`;
    const { service } = this.#ground;
    const { headers } = this.#ground.users[subscribed.model.user]!;
    const isActive = subscribed.state === 'ACTIVE';
    if (wish.kind === 'delete') {
      const answer = await service.delete(path, headers);
      this.#note(`DELETE ${path}`, answer);
      this.#expectDeletion(subscribed, answer);
      if (answer.status === 204) subscribed.state = 'DELETED';
      return;
    }
    const expression = this.#expression(subscribed.model.type, wish.expression);
    const body = wish.kind === 'unsubscribe' ? { unsubscribed: true } : { expression: expression?.text ?? null };
    const answer = await service.put(path, body, headers);
    this.#note(`PUT ${path} ${JSON.stringify(body)}`, answer);
    expect(answer.status, this.#tell(answer)).toBe(isActive ? 200 : 409);
    if (!isActive) return;
    // Events that are not matched yet may be matched before or after.
    for (const prediction of inTheAir)
      if (prediction.subscription.key === subscribed.model.key) prediction.isUncertain = true;
    if (wish.kind === 'unsubscribe') subscribed.state = 'UNSUBSCRIBED';
    else subscribed.model = { ...subscribed.model, expression };
  }

  async unsubscribeWide(): Promise<void> {
    for (const { model, state } of this.subscribed) {
      if (model.mark !== null || state !== 'ACTIVE') continue;
      const { headers } = this.#ground.users[model.user]!;
      await this.#ground.service.put(`/ws/rest/WebhookSubscription/${model.key}`, { unsubscribed: true }, headers);
    }
  }

  async #create(wish: SubscriptionWish): Promise<void> {
    const { users, service } = this.#ground;
    const { type, operation, onlyMainObject, notSendMyChanges, rawObject, user } = wish;
    const isWide = operation === 'C' || wish.isWide;
    const object = pick(
      [...this.#world.values()].filter((each) => each.type === type),
      wish.at,
    );
    if (isWide ? !this.#mayBeWide : !object) return;
    const mark = isWide ? null : object!.mark;
    const expression = this.#expression(type, wish.expression);
    const selection = pick([defaultSelection, whole(ownSelection), deepSelection], wish.selection)!(type);
    const body = {
      eventType: `${type}.${operation}${mark === null ? '' : `.${this.#keyOf(mark)}`}`,
      url: 'http://127.0.0.1:9/',
      json: selection.isWhole ? Buffer.from(JSON.stringify(jsonOf(selection))).toString('base64') : null,
      expression: expression?.text ?? null,
      ...{ onlyMainObject, notSendMyChanges, rawObject },
    };
    const answer = await service.post('/ws/rest/WebhookSubscription', body, users[user]!.headers);
    this.#note(`POST WebhookSubscription ${JSON.stringify(body)}`, answer);
    expect(answer.status, this.#tell(answer)).toBe(201);
    const flags = { onlyMainObject, notSendMyChanges, rawObject };
    const model = { key: answer.body.key, user, type, operation, mark, selection, expression, ...flags };
    this.subscribed.push({ model, state: 'ACTIVE', predictions: [] });
  }

  #expectDeletion({ state, predictions }: Subscribed, answer: Answer): void {
    const notified = predictions.filter(({ verdict, isUncertain }) => verdict === 'true' && !isUncertain);
    const isUnknown = notified.length === 0 && predictions.some(({ isUncertain }) => isUncertain);
    if (state === 'UNSUBSCRIBED' && isUnknown) return;
    const status = state === 'UNSUBSCRIBED' && notified.length === 0 ? 204 : 409;
    expect(answer.status, this.#tell(answer)).toBe(status);
  }

  async #carryOutRequest(round: Round): Promise<void> {
    const first = round.wishes[0]!;
    const wish = first.kind === 'update all' ? { ...first, kind: 'update' as const } : first;
    const resolved = resolve(wish, this.#world, this.#newMark);
    if (!resolved) return;
    this.#remember(resolved.statements);
    const user = round.user ?? 0;
    const { method, path, body } = renderRequest(resolved.request, this.#ground.fleet, this.#keyOf);
    const { service, users } = this.#ground;
    const { headers } = users[user]!;
    const answer = await (method === 'DELETE'
      ? service.delete(path, headers)
      : send(service, method, path, body, headers));
    this.#note(`${method} ${path} ${JSON.stringify(body)} as ${user}`, answer);
    const transaction = carryOut(this.#world, resolved.statements);
    expect(answer.status, this.#tell(answer)).toBe(transaction ? successOf(resolved.request) : 409);
    if (transaction) await this.#take({ ...transaction, user });
    else this.refused += 1;
  }

  /** The statements that count, and the SQL of all, including those rolled back to a savepoint. */
  #plan({ wishes, undone, user, isRolledBack }: Round): Planned {
    const planned: Planned = { statements: [], sql: [], user, isRolledBack };
    let draft = this.#world;
    wishes.forEach((wish, index) => {
      const resolved: Resolved | undefined = resolve(wish, draft, this.#newMark);
      if (!resolved) return;
      this.#remember(resolved.statements);
      const sql = resolved.statements.map(this.#render);
      if (undone[index]) planned.sql.push('savepoint s', ...sql, 'rollback to savepoint s');
      else {
        planned.sql.push(...sql);
        planned.statements.push(...resolved.statements);
        draft = carryOutUnchecked(draft, resolved.statements).end;
      }
    });
    return planned;
  }

  async #carryOutSql(planned: Planned): Promise<void> {
    if (planned.sql.length === 0) return;
    await this.#conclude(planned, async () => {
      const client = await this.#ground.service.database.pool.connect();
      try {
        await client.query(`${this.#opening(planned)}; ${endOf(planned)}`);
      } finally {
        await client.query('rollback');
        client.release();
      }
    });
  }

  #opening({ sql, user }: Planned): string {
    const acting = user === null ? '' : String(this.#ground.users[user]!.userKey);
    return ['begin', `select set_config('flaghoist.user_key', '${acting}', true)`, ...sql].join(';\n');
  }

  async #conclude(planned: Planned, commit: () => Promise<unknown>): Promise<void> {
    const { statements, sql, user, isRolledBack } = planned;
    const transaction = carryOut(this.#world, statements);
    const failure = await commit().then(
      () => undefined,
      (error: Error & { code?: string }) => error,
    );
    const isKept = !isRolledBack && transaction !== undefined;
    const end = failure ? `failed: ${failure.message}` : isRolledBack ? 'rolled back' : 'committed';
    this.log.push(`SQL as ${user}: ${sql.join('; ')} ${end}`);
    expect(failure === undefined, this.log.join('\n')).toBe(isRolledBack || transaction !== undefined);
    if (failure) this.refused += 1;
    if (isKept) await this.#take({ ...transaction, user });
  }

  async #take(transaction: Committed): Promise<void> {
    this.#world = transaction.end;
    this.committed.push(transaction);
    const made = [...transaction.end.keys()].filter((mark) => !this.#keys.has(mark));
    if (made.length === 0) return;
    const { rows } = await this.#ground.service.database.pool.query(
      typeNames
        .map(
          (type) =>
            `select key::int, external_object_key as mark from ${tableOf(type)} where external_object_key = any($1)`,
        )
        .join(' union all '),
      [made],
    );
    for (const { key, mark } of rows) this.#keys.set(mark, key);
  }

  #expression(type: TypeName, at: number | null) {
    return at === null ? undefined : pick(expressionsOf(type), at);
  }

  #remember(statements: readonly Statement[]): void {
    for (const statement of statements)
      if (statement.kind !== 'delete') for (const { mark, type } of statement.rows) this.#types.set(mark, type);
  }

  #render = (statement: Statement) => renderSql(statement, this.#ground.fleet, (mark) => this.#types.get(mark)!);

  #newMark = () => {
    this.#marks += 1;
    return `${this.name}.${this.#marks}`;
  };
  #marks = 0;

  #keyOf = (mark: string) => this.#keys.get(mark)!;

  #note(what: string, { status }: Answer): void {
    this.log.push(`${what} → ${status}`);
  }

  #tell({ text }: Answer): string {
    return `${this.log.join('\n')}\n${text}`;
  }
}

interface Planned {
  statements: Statement[];
  sql: string[];
  user: number | null;
  isRolledBack: boolean;
}

function endOf({ isRolledBack }: Planned): string {
  return isRolledBack ? 'rollback' : 'commit';
}

function successOf({ kind }: Request): number {
  return kind === 'POST' ? 201 : kind === 'DELETE' ? 204 : 200;
}

function send(
  service: TestService,
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
  headers: Record<string, string>,
) {
  return method === 'POST' ? service.post(path, body, headers) : service.put(path, body, headers);
}

function whole(select: (type: TypeName) => Selection): (type: TypeName) => Selection {
  return (type) => ({ ...select(type), isWhole: true });
}

/** In the format of the attribute `json` of a subscription. */
function jsonOf({ attributes, references, collections }: Selection): object {
  const nested = Object.entries({ ...references, ...collections }).map(([name, inside]) => [
    name,
    inside === 'mark' ? '*' : jsonOf(inside),
  ]);
  return {
    externalObjectKey: '*',
    ...Object.fromEntries(attributes.map((name) => [name, '*'])),
    ...Object.fromEntries(nested),
  };
}
