// A client that creates and changes vessels and voyages, and sometimes reads. It records every change with a unique
// mark and its response. Half of the creates are repeated under their Idempotency-Key until they succeed.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../dice.ts';
import type { Change, Outcome } from '../writes/change-ledger.ts';
import type { Answer, Asked, Caller } from './caller.ts';

type WrittenType = 'Vessel' | 'Voyage';

interface WrittenObject {
  type: WrittenType;
  key: number;
}

export interface HardshipWriterOptions {
  name: string;
  dice: Dice;
  caller: Caller;
  /** The vessel of all voyages. */
  vessel: number;
}

const pauseMs = { min: 20, max: 60 };
const retryMs = 250;
const repeatMsMax = 180_000;
const objectsKept = 40;

export class HardshipWriter {
  readonly changes: Change[] = [];
  readonly #options: HardshipWriterOptions;
  readonly #own: WrittenObject[] = [];
  #isRunning = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: HardshipWriterOptions) {
    this.#options = options;
  }

  resume(): void {
    this.#isRunning = true;
    this.#loop = this.#run();
  }

  /** Resolves when no request is in flight. */
  async pause(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { dice, caller } = this.#options;
    while (this.#isRunning) {
      const isRefused = dice.isBelow(0.2)
        ? !isDone(await caller.ask({ method: 'GET', path: 'Currency?limit=1' }))
        : (await this.#write()) !== 'acknowledged';
      await sleep(isRefused ? retryMs : dice.between(pauseMs.min, pauseMs.max));
    }
  }

  async #write(): Promise<Outcome> {
    const { name, dice, vessel } = this.#options;
    const mark = `${name}-${this.changes.length + 1}`;
    const subject = this.#own.length > objectsKept || dice.isBelow(0.5) ? dice.pick(this.#own) : undefined;
    const type = subject?.type ?? (dice.isBelow(0.7) ? 'Vessel' : 'Voyage');
    const method = subject ? 'PUT' : 'POST';
    const change: Change = { name: `${method} ${type}`, marks: [mark], removedKeys: [], outcome: 'unknown' };
    this.changes.push(change);
    const path = subject ? `${type}/${subject.key}` : type;
    const body = { externalObjectKey: mark, ...(subject ? {} : attributesOf(type, vessel)) };
    const answer = await this.#askPatiently({ method, path, body }, !subject && dice.isBelow(0.5) ? mark : undefined);
    if (!subject && isDone(answer)) this.#own.push({ type, key: (answer!.body as { key: number }).key });
    change.outcome = outcomeOf(answer);
    return change.outcome;
  }

  async #askPatiently(asked: Asked, idempotencyKey: string | undefined): Promise<Answer | undefined> {
    const { caller } = this.#options;
    if (idempotencyKey === undefined) return await caller.ask(asked);
    const startedAt = performance.now();
    for (;;) {
      const answer = await caller.ask({ ...asked, headers: { 'idempotency-key': idempotencyKey } });
      if (!isWorthRepeating(answer) || performance.now() - startedAt > repeatMsMax) return answer;
      await sleep(retryMs);
    }
  }
}

function attributesOf(type: WrittenType, vessel: number): object {
  return type === 'Vessel' ? { vesselName: 'Endurance' } : { voyageStatus: 'NOM', vessel };
}

function isDone(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status < 300;
}

/** 409: the first request with the same Idempotency-Key is still running. */
function isWorthRepeating(answer: Answer | undefined): boolean {
  return answer === undefined || answer.status >= 500 || [401, 409, 429].includes(answer.status);
}

/** After a 503, the database may have failed before or after the commit. */
function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer === undefined || answer.status === 503) return 'unknown';
  return isDone(answer) ? 'acknowledged' : 'refused';
}
