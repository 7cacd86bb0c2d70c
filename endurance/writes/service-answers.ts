// Calls the service over HTTP while it may be killed at any moment: every request ends with a response or as `lost`,
// never with an exception.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';

export type Answer = Answered | { kind: 'lost'; reason: string };

export interface Answered {
  kind: 'answered';
  status: number;
  body: unknown;
}

export interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object | undefined;
  headers?: Record<string, string>;
}

export interface ServiceAnswersOptions {
  origin: string;
  dispatcher: Dispatcher;
  /** The headers of every request. */
  headers: Record<string, string>;
}

export class ServiceAnswers {
  readonly #options: ServiceAnswersOptions;

  constructor(options: ServiceAnswersOptions) {
    this.#options = options;
  }

  /** After a 503 it is unknown what happened before the database failed, so it counts as lost. */
  async ask({ method, path, body, headers = {} }: Asked): Promise<Answer> {
    const { origin, dispatcher } = this.#options;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const answer = await request(`${origin}/ws/rest/${path}`, {
        method,
        dispatcher,
        headers: { ...this.#options.headers, ...type, ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await answer.body.text();
      if (answer.statusCode === 503) return { kind: 'lost', reason: 'status 503' };
      return { kind: 'answered', status: answer.statusCode, body: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      return { kind: 'lost', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Repeats until there is a response other than `lost`. Only for idempotent requests. */
  async askUntilAnswered(asked: Asked, counts: (answer: Answered) => boolean = () => true): Promise<Answered> {
    for (;;) {
      const answer = await this.ask(asked);
      if (answer.kind === 'answered' && counts(answer)) return answer;
      await sleep(pauseMs);
    }
  }
}

const pauseMs = 50;
