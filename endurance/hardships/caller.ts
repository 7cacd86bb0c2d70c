// Calls the service over HTTP and counts every response. A request ends with a response or `undefined`, never with an
// exception. A rejected token is replaced, as clients do after a clock change of the service.

import { Agent, request } from 'undici';
import { authorize } from '../../bench/harness/service-client.ts';
import type { AnswerBooks, Asker, Status } from './answer-books.ts';

export interface Asked {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  body: unknown;
}

export interface CallerOptions {
  origin: string;
  books: AnswerBooks;
  /** The crowd counts separately from the writers. */
  asker?: Asker;
}

const patienceMs = 30_000;

export class Caller {
  readonly #options: CallerOptions;
  readonly #agent = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs });
  #headers: Record<string, string> = {};
  #renewal: Promise<void> | undefined;

  static async open(options: CallerOptions): Promise<Caller> {
    const caller = new Caller(options);
    caller.#headers = await authorize(options.origin);
    return caller;
  }

  private constructor(options: CallerOptions) {
    this.#options = options;
  }

  async ask({ method, path, body, headers = {} }: Asked): Promise<Answer | undefined> {
    const { asker = method === 'GET' ? 'read' : 'write' } = this.#options;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.#send(asker, `/ws/rest/${path}`, {
      method,
      headers: { ...this.#headers, ...type, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (answer?.status === 401) await this.#renewToken();
    return answer;
  }

  /** For requests that must succeed. */
  async create(path: string, body: object): Promise<{ key: number }> {
    const answer = await this.ask({ method: 'POST', path, body });
    if (answer?.status !== 201) throw new Error(`${path} could not be created: ${JSON.stringify(answer)}`);
    return answer.body as { key: number };
  }

  async probeReady(): Promise<void> {
    await this.#send('ready', '/health/ready', { method: 'GET' });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #send(asker: Asker, path: string, options: object): Promise<Answer | undefined> {
    const { origin, books } = this.#options;
    const { phase } = books;
    const startedAt = performance.now();
    const note = (status: Status, as = asker) =>
      books.note({ phase, asker: as, status }, performance.now() - startedAt);
    try {
      const { statusCode, headers, body } = await request(`${origin}${path}`, { dispatcher: this.#agent, ...options });
      const text = await body.text();
      note(isOutage(statusCode) && headers['retry-after'] === undefined ? 'no Retry-After' : statusCode);
      if (isDateWrong(String(headers.date))) note(statusCode, 'wrong date');
      return { status: statusCode, body: text.startsWith('{') ? JSON.parse(text) : undefined };
    } catch {
      note('lost');
      return undefined;
    }
  }

  /** Many requests may be rejected at once: one of them gets a token. If that fails, the next rejection tries again. */
  async #renewToken(): Promise<void> {
    this.#renewal ??= authorize(this.#options.origin)
      .then((headers) => {
        this.#headers = headers;
      })
      .catch(() => undefined)
      .finally(() => {
        this.#renewal = undefined;
      });
    await this.#renewal;
  }
}

function isOutage(status: number): boolean {
  return status === 503 || status === 507;
}

function isDateWrong(date: string): boolean {
  return Math.abs(Date.parse(date) - Date.now()) > 30 * 60_000;
}
