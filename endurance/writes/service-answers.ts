// Asks the service over HTTP while it may be killed at any moment: every request ends as an answer or as `lost`, never as
// an exception.

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
  /** What every request carries. */
  headers: Record<string, string>;
}

export class ServiceAnswers {
  readonly #options: ServiceAnswersOptions;

  constructor(options: ServiceAnswersOptions) {
    this.#options = options;
  }

  /** A 503 says nothing of what happened before the database went away, so it counts as lost. */
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

  /** Asks again until there is an answer that counts: only for what may be asked twice. */
  async askUntilAnswered(asked: Asked, counts: (answer: Answered) => boolean = () => true): Promise<Answered> {
    for (;;) {
      const answer = await this.ask(asked);
      if (answer.kind === 'answered' && counts(answer)) return answer;
      await sleep(pauseMs);
    }
  }
}

const pauseMs = 50;
