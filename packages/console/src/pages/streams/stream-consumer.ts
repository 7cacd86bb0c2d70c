// Consumes the stream of a subscription in the page: connects, and connects again, and acknowledges.

import { type Signal, signal } from '@preact/signals';
import { timeOfDayMs } from '../../elements/time.tsx';
import { readEvents } from '../../service/event-stream.ts';
import { pause } from '../../service/pause.ts';
import { request, send } from '../../service/request.ts';
import { messageOf, ServiceError } from '../../service/service-error.ts';
import { readSignatures, signatureOf } from '../notifications/signature.ts';

export type ConsumerState = 'stopped' | 'connecting' | 'receiving';

export interface Received {
  notification: number;
  headers: Record<string, string>;
  body: string;
  receivedAtMs: number;
  /** Undefined without a secret. */
  isAuthentic: boolean | undefined;
  isAcknowledged: boolean;
}

/** What the service sends before the first is acknowledged. */
const limit = 50;
const keptMax = 200;
const acknowledgeAfterMs = 150;
const retryMs = [500, 1_000, 2_000, 5_000];

export class StreamConsumer {
  readonly state: Signal<ConsumerState> = signal('stopped');
  /** Newest first. */
  readonly received: Signal<readonly Received[]> = signal([]);
  readonly count: Signal<number> = signal(0);
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly isAutomatic: Signal<boolean> = signal(true);
  /** With a signing secret, each signature is verified. */
  readonly secret: Signal<string> = signal('');

  readonly #key: number;
  /** Received, but not shown yet: many may come between two frames. */
  #taken: Received[] = [];
  #abort: AbortController | undefined;
  #waiting: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(key: number) {
    this.#key = key;
  }

  start(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    this.#run(this.#abort.signal);
  }

  /** What is not acknowledged goes to the next consumer. */
  stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.state.value = 'stopped';
  }

  async acknowledge(notifications: readonly number[]): Promise<void> {
    if (notifications.length === 0) return;
    await request(`/WebhookSubscription/${this.#key}/acknowledge`, { method: 'POST', body: { notifications } });
    if (this.#taken.length > 0) this.#show();
    const known = new Set(notifications);
    this.received.value = this.received.value.map((each) =>
      known.has(each.notification) ? { ...each, isAcknowledged: true } : each,
    );
  }

  setAutomatic(isAutomatic: boolean): void {
    this.isAutomatic.value = isAutomatic;
    if (!isAutomatic) return;
    const open = this.received.value.filter((each) => !each.isAcknowledged).map(({ notification }) => notification);
    this.#acknowledgeSoon(open);
  }

  async #run(abort: AbortSignal): Promise<void> {
    for (let failures = 0; !abort.aborted; failures += 1) {
      this.state.value = 'connecting';
      try {
        await this.#read(abort, () => {
          failures = 0;
        });
      } catch (error) {
        if (abort.aborted) return;
        this.problem.value = messageOf(error);
        if (isFinal(error)) return this.stop();
      }
      await pause(retryMs[Math.min(failures, retryMs.length - 1)]!, abort);
    }
  }

  async #read(abort: AbortSignal, onOpen: () => void): Promise<void> {
    const headers = { accept: 'text/event-stream' };
    const response = await send(`/WebhookSubscription/${this.#key}/stream`, {
      query: { limit },
      headers,
      signal: abort,
    });
    onOpen();
    this.state.value = 'receiving';
    this.problem.value = undefined;
    for await (const { event, data } of readEvents(response)) {
      if (abort.aborted) return;
      if (event === 'notification') await this.#take(JSON.parse(data));
    }
  }

  async #take({ notification, headers, body }: Pick<Received, 'notification' | 'headers' | 'body'>): Promise<void> {
    const isAuthentic = await this.#verify(headers, body);
    if (this.#taken.length === 0) requestAnimationFrame(() => this.#show());
    this.#taken.push({ notification, headers, body, receivedAtMs: timeOfDayMs(), isAuthentic, isAcknowledged: false });
    // What cannot be verified is not acknowledged, as a receiver should do it.
    if (this.isAutomatic.value && isAuthentic !== false) this.#acknowledgeSoon([notification]);
  }

  /** One that was sent again takes the place of the former. */
  #show(): void {
    const taken = this.#taken.splice(0).reverse();
    const keys = new Set(taken.map(({ notification }) => notification));
    const others = this.received.value.filter(({ notification }) => !keys.has(notification));
    const known = this.received.value.length - others.length;
    this.count.value += keys.size - known;
    this.received.value = [...taken, ...others].slice(0, keptMax);
  }

  async #verify(headers: Record<string, string>, body: string): Promise<boolean | undefined> {
    const secret = this.secret.value.trim();
    if (secret === '') return undefined;
    const signed = { id: headers['webhook-id'] ?? '', timestamp: Number(headers['webhook-timestamp']), body };
    try {
      return readSignatures(headers['webhook-signature'] ?? '').includes(await signatureOf(secret, signed));
    } catch (error) {
      this.problem.value = messageOf(error);
      return false;
    }
  }

  /** Several in one request. */
  #acknowledgeSoon(notifications: readonly number[]): void {
    this.#waiting.push(...notifications);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.acknowledge(this.#waiting.splice(0)).catch((error) => {
        this.problem.value = messageOf(error);
      });
    }, acknowledgeAfterMs);
  }
}

/** The subscription has ended, or may not be streamed. What a proxy answers by itself has no code. */
function isFinal(error: unknown): boolean {
  return error instanceof ServiceError && error.code !== undefined && [400, 403, 404, 409].includes(error.status);
}
