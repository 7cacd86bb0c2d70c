// The hosts of DATABASE_URL, and which of them is the primary now. One host is used as it is. Several are asked at the
// same time, on the first connection and whenever something is wrong, until one of them can be used; while all is well,
// none is asked. When the primary changes, all connections to the former one are cut: it may be frozen, come back, and
// still accept changes.

import { type DatabaseHost, type HostNeeds, listDatabaseHosts } from '../config/database-url.ts';
import type { Observe } from '../observe/observation.ts';
import { askHost, chooseHost, type HostAnswer, type HostQuestion } from './ask-host.ts';
import { DatabaseAway } from './database-away.ts';
import type { DatabaseClient } from './database-client.ts';

/** After the first primary that can be used, the others have this long to say that they are newer. */
const graceMs = 250;
const pauseMs = 100;
const pauseMaxMs = 500;

export class ServerHosts {
  readonly #hosts: readonly DatabaseHost[];
  readonly #needs: HostNeeds;
  readonly #observe: Observe;
  readonly #clients = new Set<DatabaseClient>();
  readonly #changed: (() => void)[] = [];
  #current: DatabaseHost | undefined;
  /** The highest timeline of a primary so far. */
  #timeline = '';
  #round: Promise<void> | undefined;
  /** Why no host could be used when they were last asked. */
  #problems: Error[] = [];
  #retry: NodeJS.Timeout | undefined;
  /** Of the round that is under way. */
  #questions: HostQuestion[] = [];
  #isStopping = false;

  constructor(url: string, observe: Observe) {
    const { hosts, needs } = listDatabaseHosts(url);
    this.#hosts = hosts;
    this.#needs = needs;
    this.#observe = observe;
    if (hosts.length === 1) this.#current = hosts[0];
  }

  get areSeveral(): boolean {
    return this.#hosts.length > 1;
  }

  /** Whether a connection to a standby must not be used. */
  get refuseStandbys(): boolean {
    return this.#needs !== 'any';
  }

  /** Of the primary, as far as it is known; of the first host before it is. */
  get url(): string {
    return (this.#current ?? this.#hosts[0]!).url;
  }

  /** Asks the hosts until one of them could be used for the first time. Fails if none can be used now. */
  async known(): Promise<void> {
    if (this.#current) return;
    await this.#ask();
    if (!this.#current) throw new DatabaseAway(new AggregateError(this.#problems, 'No host can be used.'));
  }

  /** Called when something is wrong with the primary: asks all hosts until one of them can be used. */
  seek(): void {
    if (!this.areSeveral || this.#retry || this.#isStopping) return;
    void this.#ask().then(() => this.#retryUnlessFound(pauseMs));
  }

  /** Called after the primary has changed. */
  onChanged(listener: () => void): void {
    this.#changed.push(listener);
  }

  /** Cuts the connection when the primary changes. It must lead to `url`. */
  follow(client: DatabaseClient): void {
    if (!this.areSeveral) return;
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#retry);
    this.#cancelQuestions();
    await this.#round;
  }

  #retryUnlessFound(afterMs: number): void {
    if (this.#problems.length === 0 || this.#retry || this.#isStopping) return;
    this.#retry = setTimeout(() => {
      void this.#ask().then(() => {
        this.#retry = undefined;
        this.#retryUnlessFound(Math.min(afterMs * 2, pauseMaxMs));
      });
    }, afterMs);
    this.#retry.unref();
  }

  /** One round at a time. */
  #ask(): Promise<void> {
    this.#round ??= this.#askAll().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #askAll(): Promise<void> {
    this.#questions = this.#hosts.map((host) => askHost(host, this.#needs, this.#timeline));
    const answers = await untilGraceEnds(this.#questions.map(({ answer }) => answer));
    this.#cancelQuestions();
    if (this.#isStopping) return;
    const chosen = chooseHost(answers, this.#current);
    this.#problems = chosen ? [] : answers.flatMap(({ problem }) => problem ?? []);
    if (chosen) this.#use(chosen);
  }

  #cancelQuestions(): void {
    for (const { cancel } of this.#questions) cancel();
  }

  #use({ host, timeline }: HostAnswer): void {
    if (timeline! > this.#timeline) this.#timeline = timeline!;
    const former = this.#current;
    this.#current = host;
    if (former === undefined || former === host) return;
    this.#observe({ kind: 'database.primaryChanged', from: former.name, to: host.name });
    for (const changed of this.#changed) changed();
    for (const client of [...this.#clients]) client.cutOff();
  }
}

/** Resolves with the answers that there are when all have come, or a little after that of the first primary. */
function untilGraceEnds(asked: readonly Promise<HostAnswer>[]): Promise<HostAnswer[]> {
  return new Promise((resolve) => {
    const answers: HostAnswer[] = [];
    let grace: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(grace);
      resolve([...answers]);
    };
    for (const each of asked)
      void each.then((answer) => {
        answers.push(answer);
        if (answers.length === asked.length) end();
        else if (answer.timeline) grace ??= setTimeout(end, graceMs);
      });
  });
}
