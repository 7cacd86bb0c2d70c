// The receiver of webhooks: verifies, parses and routes each delivery, and says what to answer.

import type { Catalogue } from '../catalogue.ts';
import { type HeaderSource, readHeaders } from './message-headers.ts';
import { type Notification, type Ping, parseNotification } from './notification.ts';
import { createProcess, type Deduplication } from './process-delivery.ts';
import { type OnError, reportError } from './report-error.ts';
import type { Routes } from './routes.ts';
import { createVerify } from './verify-signature.ts';

export interface ReceiverOptions<C = Catalogue> extends Routes<C>, Deduplication {
  /** The `signingSecret` of the subscription. Several while one is being replaced, or for several subscriptions. */
  secret: string | readonly string[];
  /** How old a message may be, and how far ahead the clock of the service. Default: 300. */
  toleranceSeconds?: number;
  /** Gets what a handler throws, and mistakes in how the receiver is used. Default: `console.error`. */
  onError?: OnError;
}

export interface Delivered {
  headers: HeaderSource;
  /** Exactly as it arrived, not parsed. */
  body: Uint8Array | ArrayBuffer | string;
}

export interface Answer {
  /** 204, or 401, 400 or 500. The service retries whatever is not 2xx. */
  status: number;
  /** What is wrong. The service keeps the first bytes of it in the log of the notification. */
  body: string;
}

export interface Receiver {
  /** Never rejects. */
  handle(delivered: Delivered): Promise<Answer>;
}

/** `Catalogue`: the object types of the installation, if it has its own ones; `flaghoist types` writes them. */
export function createReceiver<C = Catalogue>(options: ReceiverOptions<C>): Receiver {
  const verify = createVerify(options.secret, options.toleranceSeconds);
  const process = createProcess(options);
  const fail = (error: unknown, delivery: Notification | Ping | undefined, body: string): Answer => {
    reportError(options.onError, error, delivery);
    return { status: 500, body };
  };
  return {
    async handle({ headers: source, body }) {
      const bytes = bytesOf(body);
      if (!bytes) return fail(new TypeError(parsedAlready), undefined, parsedAlready);
      const headers = readHeaders(source);
      const mistake = await verify(headers, bytes);
      if (mistake !== undefined) return { status: 401, body: mistake };
      let delivery: Notification | Ping;
      try {
        delivery = parseNotification(headers, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
      } catch (error) {
        return { status: 400, body: error instanceof TypeError ? 'The body is not UTF-8.' : (error as Error).message };
      }
      try {
        await process(delivery);
        return { status: 204, body: '' };
      } catch (error) {
        return fail(error, delivery, 'The handler failed. The log of the receiver says why.');
      }
    },
  };
}

const parsedAlready =
  'The body of the request was read or parsed before the receiver got it, so its signature cannot be verified. ' +
  "Put the receiver before body parsers such as express.json(), or use express.raw({ type: '*/*' }) for its route.";

function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return body instanceof Uint8Array ? body : undefined;
}
