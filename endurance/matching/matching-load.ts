// One client of the load: changes its own part of the world, one change after the other, over REST through either
// process and by SQL. It records which changes were accepted, which were not, and which are unknown.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../../packages/server/src/database/database-away.ts';
import type { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import type { Answer, Asked, ServiceAnswers } from '../writes/service-answers.ts';
import { draft, type RunSubscription } from './matching-subscriptions.ts';
import type { ClientWorld, Created } from './matching-world.ts';

export interface BookedChange {
  /** `PUT Voyage`, `SQL`. */
  name: string;
  /** In the row that it writes or, for a delete, removes. */
  marks: readonly string[];
  isDeletion: boolean;
  outcome: 'accepted' | 'not made' | 'unknown';
}

export interface MatchingClientOptions {
  name: string;
  dice: Dice;
  own: ClientWorld;
  /** The voyage to whose port calls its event logs move. */
  neighbour: ClientWorld;
  bunkerType: number;
  /** One per process. */
  services: readonly ServiceAnswers[];
  database: { query(text: string): Promise<unknown> };
  /** Attributes of its subscriptions besides the event type. */
  wishes?: () => object;
}

const pauseMsMax = 12;

export class MatchingClient {
  readonly changes: BookedChange[] = [];
  readonly findings: Finding[] = [];
  /** The subscriptions that it created during the run. */
  readonly subscriptions: RunSubscription[] = [];
  readonly #options: MatchingClientOptions;
  /** Event logs and order lines that it created: key → mark. */
  readonly #logs = new Map<number, string>();
  readonly #lines = new Map<number, string>();
  /** The mark of the event log that it last inserted by SQL, and deletes next. */
  #sqlLog = '';
  #marks = 0;
  #isRunning = false;
  #loop = Promise.resolve();

  constructor(options: MatchingClientOptions) {
    this.#options = options;
  }

  resume(): void {
    this.#isRunning = true;
    this.#loop = this.#run();
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Resolves when no request is in flight. */
  async pause(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { dice } = this.#options;
    while (this.#isRunning) {
      const step = dice.pick(this.#steps)!;
      await step();
      await sleep(dice.between(0, pauseMsMax));
    }
  }

  #steps = [
    () => this.#put('Voyage', this.#options.own.voyage),
    () => this.#put('PortCall', this.#options.dice.pick(this.#options.own.portCalls)!),
    () => this.#put('BunkerOrder', this.#options.dice.pick(this.#options.own.bunkerOrders)!),
    () => this.#put('Vessel', this.#options.own.vessel),
    () => this.#make('EventLog', this.#logs, { event: 'ARR', portCall: this.#call() }),
    () => this.#make('EventLog', this.#logs, { event: 'DEP', portCall: this.#call() }),
    () => this.#changeOne('EventLog', this.#logs, {}),
    () => this.#changeOne('EventLog', this.#logs, { portCall: this.#call() }),
    () => this.#remove('EventLog', this.#logs),
    () => this.#remove('EventLog', this.#logs),
    () => this.#make('BunkerOrderLine', this.#lines, this.#line()),
    () => this.#remove('BunkerOrderLine', this.#lines),
    () => this.#writeSql(),
    () => this.#writeSql(),
    () => (this.#options.dice.isBelow(0.1) ? this.#subscribe() : Promise.resolve()),
  ];

  #call(): number {
    const { dice, own, neighbour } = this.#options;
    return dice.pick([...own.portCalls, ...neighbour.portCalls])!;
  }

  #line(): object {
    const { dice, own, bunkerType } = this.#options;
    return { bunkerOrder: dice.pick(own.bunkerOrders), minQuantity: 1, maxQuantity: 2, unitPrice: 5, bunkerType };
  }

  #nextMark(): string {
    this.#marks += 1;
    return `${this.#options.name}-${this.#marks}`;
  }

  #put(type: string, key: number, more: object = {}, mark = this.#nextMark()): Promise<Created | undefined> {
    const asked: Asked = { method: 'PUT', path: `${type}/${key}`, body: { externalObjectKey: mark, ...more } };
    return this.#ask(asked, { name: `PUT ${type}`, marks: [mark], isDeletion: false, outcome: 'unknown' });
  }

  async #make(type: string, made: Map<number, string>, body: object): Promise<void> {
    const mark = this.#nextMark();
    const asked: Asked = { method: 'POST', path: type, body: { externalObjectKey: mark, ...body } };
    const change = { name: `POST ${type}`, marks: [mark], isDeletion: false, outcome: 'unknown' as const };
    const created = await this.#ask(asked, change);
    if (created) made.set(created.key, mark);
  }

  /** An object whose response was lost is not used any more, because its mark is unknown. */
  async #changeOne(type: string, made: Map<number, string>, more: object): Promise<void> {
    const key = this.#options.dice.pick([...made.keys()]);
    if (key === undefined) return;
    const mark = this.#nextMark();
    if (await this.#put(type, key, more, mark)) made.set(key, mark);
    else made.delete(key);
  }

  async #remove(type: string, made: Map<number, string>): Promise<void> {
    const key = this.#options.dice.pick([...made.keys()]);
    if (key === undefined) return;
    const marks = [made.get(key)!];
    made.delete(key);
    const change: BookedChange = { name: `DELETE ${type}`, marks, isDeletion: true, outcome: 'unknown' };
    await this.#ask({ method: 'DELETE', path: `${type}/${key}` }, change);
  }

  async #ask(asked: Asked, change: BookedChange): Promise<Created | undefined> {
    this.changes.push(change);
    const answer = await this.#askOneThatListens(asked);
    if (answer.kind === 'lost') return undefined;
    if (answer.status >= 500) return undefined;
    change.outcome = answer.status < 300 ? 'accepted' : 'not made';
    // Every request is valid.
    if (answer.status >= 400)
      this.findings.push({
        kind: 'wrong answer',
        text: `${asked.method} ${asked.path}: ${JSON.stringify(answer.body)}`,
      });
    return change.outcome === 'accepted' ? ((answer.body ?? {}) as Created) : undefined;
  }

  /** A request refused by a starting process was certainly not executed. The other process gets it. */
  async #askOneThatListens(asked: Asked): Promise<Answer> {
    for (;;) {
      const answer = await this.#service().ask(asked);
      if (answer.kind === 'answered' || !answer.reason.includes('ECONNREFUSED')) return answer;
      await sleep(pauseMsMax);
    }
  }

  #service(): ServiceAnswers {
    return this.#options.dice.pick(this.#options.services)!;
  }

  /** Several changes in one transaction, one of them rolled back to a savepoint, and sometimes all of them. */
  async #writeSql(): Promise<void> {
    const { dice, database, own } = this.#options;
    const isKept = dice.isBelow(0.7);
    const [first, second, undone, third] = [this.#nextMark(), this.#nextMark(), this.#nextMark(), this.#nextMark()];
    const set = (table: string, key: number, mark: string) =>
      `update flaghoist.${table} set external_object_key = '${mark}' where key = ${key}`;
    const isKnown = await isAnswered(
      [
        'begin',
        set('voyage', own.voyage, first),
        set('port_call', own.portCalls[0], second),
        'savepoint s',
        set('port_call', own.portCalls[1], undone),
        'rollback to savepoint s',
        `delete from flaghoist.event_log where external_object_key = '${this.#sqlLog}'`,
        `insert into flaghoist.event_log (event, external_object_key, port_call) values ('ARR', '${third}', ` +
          `${own.portCalls[0]})`,
        isKept ? 'commit' : 'rollback',
      ].join(';\n'),
      database,
    );
    const outcome = isKept && !isKnown ? 'unknown' : isKept ? 'accepted' : 'not made';
    this.changes.push({ name: 'SQL', marks: [first, second, third], isDeletion: false, outcome });
    this.changes.push({ name: 'SQL', marks: [undone], isDeletion: false, outcome: 'not made' });
    if (!isKept) return;
    const deleted = this.#sqlLog === '' ? [] : [this.#sqlLog];
    this.changes.push({ name: 'SQL', marks: deleted, isDeletion: true, outcome });
    this.#sqlLog = isKnown ? third : '';
  }

  /** A subscription created in one process is matched in both, for all later changes of this client. */
  async #subscribe(): Promise<void> {
    const { own } = this.#options;
    const wanted = draft('Vessel', 'U', { objectKey: own.vessel });
    const asked: Asked = {
      method: 'POST',
      path: 'WebhookSubscription',
      body: { ...wanted.body, ...this.#options.wishes?.() },
      headers: { 'idempotency-key': this.#nextMark() },
    };
    const { status, body } = await this.#service().askUntilAnswered(asked, (answer) => answer.status !== 409);
    if (status !== 201) {
      this.findings.push({ kind: 'wrong answer', text: `POST WebhookSubscription: ${JSON.stringify(body)}` });
      return;
    }
    const { body: _, ...subscription } = wanted;
    this.subscriptions.push({ ...subscription, key: (body as Created).key, marksBefore: this.#marks });
  }
}

/** Whether the database confirmed it. */
async function isAnswered(text: string, database: MatchingClientOptions['database']): Promise<boolean> {
  try {
    await database.query(text);
    return true;
  } catch (error) {
    if (isDatabaseAway(error)) return false;
    throw error;
  }
}
