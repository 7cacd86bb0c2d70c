// One client: writes to its own objects, one request after the other, and records each change. If a response is lost,
// it finds out what happened by repeating the request or by reading.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import type { Change, Outcome } from './change-ledger.ts';
import type { Answered, Asked, ServiceAnswers } from './service-answers.ts';
import {
  collectionOf,
  draftRequest,
  type OwnedType,
  type OwnObject,
  type World,
  type WriteRequest,
} from './write-request.ts';

export interface WriteClientOptions {
  name: string;
  dice: Dice;
  world: World;
  service: ServiceAnswers;
}

const pauseMsMax = 6;

export class WriteClient {
  readonly changes: Change[] = [];
  readonly findings: Finding[] = [];
  readonly #options: WriteClientOptions;
  #own: OwnObject[] = [];
  #marks = 0;
  #isRunning = false;
  #loop = Promise.resolve();

  constructor(options: WriteClientOptions) {
    this.#options = options;
  }

  resume(): void {
    this.#isRunning = true;
    this.#loop = this.#run();
  }

  /** Resolves when no request is in flight and no change is in doubt. */
  async pause(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { dice, world } = this.#options;
    while (this.#isRunning) {
      await this.#write(draftRequest({ dice, world, own: this.#own, nextMark: () => this.#nextMark() }));
      await sleep(dice.between(0, pauseMsMax));
    }
  }

  #nextMark(): string {
    this.#marks += 1;
    return `${this.#options.name}-${this.#marks}`;
  }

  async #write(request: WriteRequest): Promise<void> {
    const change: Change = {
      name: `${request.method} ${request.type}`,
      marks: request.marks,
      removedKeys: request.removedKeys,
      outcome: 'unknown',
    };
    this.changes.push(change);
    const canRepeat = request.method === 'POST' && this.#options.dice.isBelow(0.5);
    const asked = askedOf(request, canRepeat);
    let answer = await this.#options.service.ask(asked);
    // An idempotency key makes repeating a POST safe. 409: the first request is still running.
    if (answer.kind === 'lost' && canRepeat)
      answer = await this.#options.service.askUntilAnswered(asked, ({ status }) => status !== 409);
    change.outcome = answer.kind === 'lost' ? await this.#lookFor(request) : this.#take(request, answer);
  }

  #take(request: WriteRequest, { status, body }: Answered): Outcome {
    // Every request is valid. Only a remaining reference may prevent the delete of an object or of a part of it.
    const isConflict = status === 409 && request.removedKeys.length > 0;
    if (status >= 400 && !isConflict)
      this.findings.push({
        kind: 'wrong answer',
        text: `${request.method} ${request.type} ${request.marks[0]}: ${JSON.stringify(body)}`,
      });
    if (status >= 500) return 'unknown';
    if (status >= 400) return 'refused';
    if (request.subject) this.#own = this.#own.filter(({ key }) => key !== request.subject!.key);
    if (request.method === 'DELETE') return 'acknowledged';
    const objects = (Array.isArray(body) ? body : [body]).map((object) => ownObject(request.type, object));
    this.#own.push(...objects);
    if (objects[0]?.mark !== request.marks[0])
      this.findings.push({
        kind: 'wrong answer',
        text: `${request.marks[0]} was written, ${objects[0]?.mark} answered`,
      });
    return 'acknowledged';
  }

  async #lookFor(request: WriteRequest): Promise<Outcome> {
    const found = await this.#read(request);
    if (request.subject) this.#own = this.#own.filter(({ key }) => key !== request.subject!.key);
    this.#own.push(...found);
    if (request.method === 'DELETE') return found.length === 0 ? 'seen done' : 'seen undone';
    if (request.method === 'POST') return found.length > 0 ? 'seen done' : 'seen undone';
    if (found[0]?.mark === request.marks[0]) return 'seen done';
    if (found[0]?.mark !== request.subject?.mark)
      this.findings.push({
        kind: 'wrong answer',
        text: `${request.type} ${request.subject?.key} has neither the old nor the new mark`,
      });
    return 'seen undone';
  }

  async #read({ subject, type, marks }: WriteRequest): Promise<OwnObject[]> {
    const { service } = this.#options;
    const path = subject
      ? `${type}/${subject.key}`
      : `${type}?filter=externalObjectKey(IN)(${marks.join(',')})&sort=key(AS)`;
    const { status, body } = await service.askUntilAnswered({ method: 'GET', path });
    if (status === 404) return [];
    if (status === 200) return (Array.isArray(body) ? body : [body]).map((object) => ownObject(type, object));
    this.findings.push({ kind: 'wrong answer', text: `GET ${path}: ${JSON.stringify(body)}` });
    return [];
  }
}

function askedOf({ method, type, body, subject, marks }: WriteRequest, canRepeat: boolean): Asked {
  return {
    method,
    path: subject ? `${type}/${subject.key}` : type,
    body,
    headers: canRepeat ? { 'idempotency-key': marks[0]! } : {},
  };
}

function ownObject(type: OwnedType, object: unknown): OwnObject {
  const shown = object as Record<string, unknown> & { key: number; externalObjectKey: string };
  const collection = collectionOf[type];
  const elements = (collection && (shown[collection] as (typeof shown)[] | undefined)) || [];
  return {
    type,
    key: shown.key,
    mark: shown.externalObjectKey,
    elements: elements.map((element) => ({ key: element.key, mark: element.externalObjectKey })),
  };
}
