// Forwards one message after the other to the target, and repeats what the target refuses. A message counts as done
// when the target has answered 2xx, so that nothing is acknowledged before. Each attempt is signed anew if the secret
// is known, or else has the newest signature that the service has sent.

import { type Message, signAgain } from './message.ts';
import { type Outcome, sendToTarget, type Target } from './send-to-target.ts';

export interface ForwarderParts {
  /** Undefined: messages are only shown. */
  target: Target | undefined;
  /** How often a message is sent again at most. */
  retries: number;
  /** Signs each attempt, if it is known. */
  secret: string | undefined;
  signal: AbortSignal;
  onAttempt(attempt: Attempt): void;
}

export interface Attempt {
  message: Message;
  /** Undefined: there is no target. */
  outcome: Outcome | undefined;
  /** Undefined: it is not sent again. */
  retryInMs: number | undefined;
  /** By hand. */
  isResend: boolean;
}

const firstRetryMs = 1_000;
const retryMsMax = 30_000;

export class Forwarder {
  readonly #parts: ForwarderParts;
  #last: Message | undefined;
  /** Ends the wait before the next retry. */
  #wake: ((next: 'retry' | 'skip') => void) | undefined;

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
  }

  /** Resolves when the message can be acknowledged. Rejects if listen is stopped before. */
  async forward(message: Message): Promise<void> {
    const { target, retries, signal, onAttempt } = this.#parts;
    signal.throwIfAborted();
    this.#last = message;
    if (!target) {
      onAttempt({ message, outcome: undefined, retryInMs: undefined, isResend: false });
      return;
    }
    for (let failures = 0; ; ) {
      const attempt = message.attempt + failures;
      const sent = this.#signed(message, attempt);
      const outcome = await sendToTarget(target, sent.headers, sent.body, signal);
      if (!outcome.isDelivered) signal.throwIfAborted();
      failures += 1;
      const isLast = outcome.isDelivered || failures > retries;
      const retryInMs = isLast ? undefined : Math.min(firstRetryMs * 2 ** (failures - 1), retryMsMax);
      onAttempt({ message: sent, outcome, retryInMs, isResend: false });
      if (retryInMs === undefined || (await this.#wait(retryInMs)) === 'skip') return;
    }
  }

  /** The message that waits for a retry, at once; or else the last one, once more. */
  async resend(): Promise<void> {
    if (this.#wake) {
      this.#wake('retry');
      return;
    }
    const { target, signal, onAttempt } = this.#parts;
    if (!this.#last) return;
    const message = this.#signed(this.#last, this.#last.attempt);
    const outcome = target && (await sendToTarget(target, message.headers, message.body, signal));
    onAttempt({ message, outcome, retryInMs: undefined, isResend: true });
  }

  /** Gives up the message that waits for a retry. Returns its id if there is one. */
  skip(): string | undefined {
    if (!this.#wake) return undefined;
    this.#wake('skip');
    return this.#last?.id;
  }

  #signed(message: Message, attempt: number): Message {
    const headers = signAgain(message, this.#parts.secret, new Date());
    return { ...message, attempt, headers: { ...headers, 'flaghoist-attempt': String(attempt) } };
  }

  async #wait(durationMs: number): Promise<'retry' | 'skip'> {
    const { signal } = this.#parts;
    const next = await new Promise<'retry' | 'skip'>((resolve) => {
      const end = (how: 'retry' | 'skip') => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        resolve(how);
      };
      const abort = () => end('retry');
      const timer = setTimeout(abort, durationMs);
      signal.addEventListener('abort', abort);
      this.#wake = end;
    });
    this.#wake = undefined;
    signal.throwIfAborted();
    return next;
  }
}
