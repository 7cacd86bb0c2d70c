// Publishes messages to JetStream, and waits until the stream has acknowledged. Until the deadline, a message whose
// connection was lost is published again: the stream stores a `Nats-Msg-Id` once.

import { setTimeout as sleep } from 'node:timers/promises';
import { headers as createHeaders, type MsgHdrs } from '@nats-io/transport-node';
import { ConnectError } from '../guard/connect-error.ts';
import { renderSeconds } from '../http/judge-failure.ts';
import { failed, type SendResult } from '../send-result.ts';
import type { NatsIdentity } from './connect-nats.ts';
import { isLost, isNoResponders, isTimeout, judgeAcknowledgement, judgeNatsError } from './judge-nats-error.ts';
import type { NatsConnections, OpenNats } from './nats-connections.ts';

export interface NatsMessage {
  readonly url: string;
  readonly identity: NatsIdentity;
  readonly subject: string;
  readonly id: string;
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export interface NatsChannelParts {
  connections: NatsConnections;
  /** Covers everything: connecting, publishing, and the acknowledgement. */
  timeoutMs: number;
  connectTimeoutMs: number;
}

interface Progress {
  isPublished: boolean;
  readonly deadline: AbortSignal;
}

/** A stream without a leader looks as if there were none. An election usually ends sooner. */
const noStreamMs = 3_000;
const retryAfterMs = 200;
/** A server that drops every connection is not asked again and again. */
const lossesMax = 5;
const stopped: SendResult = { kind: 'ownFault', reason: 'The service stopped before the stream acknowledged.' };

export class NatsChannel {
  readonly #parts: NatsChannelParts;
  readonly #inFlight = new Set<(result: SendResult) => void>();
  #isClosed = false;
  #onDrained: (() => void) | undefined;

  constructor(parts: NatsChannelParts) {
    this.#parts = parts;
  }

  /** `onEnd` is called once, after this method has returned. */
  send(message: NatsMessage, onEnd: (result: SendResult) => void): void {
    if (this.#isClosed) {
      queueMicrotask(() => onEnd(stopped));
      return;
    }
    const { timeoutMs } = this.#parts;
    const deadline = new AbortController();
    const end = (result: SendResult): void => {
      if (!this.#inFlight.delete(end)) return;
      clearTimeout(timer);
      deadline.abort();
      onEnd(result);
      if (this.#inFlight.size === 0) this.#onDrained?.();
    };
    this.#inFlight.add(end);
    const progress: Progress = { isPublished: false, deadline: deadline.signal };
    const timer = setTimeout(() => end(late(progress, timeoutMs)), timeoutMs);
    void this.#publish(message, progress).then(end);
  }

  /** Messages in flight have `graceMs` to finish. After that they are abandoned as a fault on our side. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const timer = setTimeout(() => {
      for (const end of [...this.#inFlight]) end(stopped);
    }, graceMs);
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
      if (this.#inFlight.size === 0) resolve();
    });
    clearTimeout(timer);
    this.#parts.connections.close();
  }

  #publish(message: NatsMessage, progress: Progress): Promise<SendResult> {
    const { connections } = this.#parts;
    return connections.use(message.url, message.identity, async (open) => {
      const startedAtMs = performance.now();
      for (let losses = 0; ; ) {
        const { result, error } = await this.#attempt(message, progress, open);
        if (isLost(error)) losses += 1;
        const mayHaveStream = isNoResponders(error) && performance.now() - startedAtMs < noStreamMs;
        if (progress.deadline.aborted || !(mayHaveStream || (isLost(error) && losses < lossesMax))) return result;
        await sleep(retryAfterMs);
        if (progress.deadline.aborted) return result;
      }
    });
  }

  async #attempt(
    { subject, id, headers, body }: NatsMessage,
    progress: Progress,
    open: () => Promise<OpenNats>,
  ): Promise<{ result: SendResult; error?: unknown }> {
    const { timeoutMs, connectTimeoutMs } = this.#parts;
    let limit: number | undefined;
    try {
      const { connection, jetStream } = await open();
      if (progress.deadline.aborted) throw new ConnectError('given up');
      progress.isPublished = true;
      limit = connection.info?.max_payload;
      const { inMsgs } = connection.stats();
      // Our own deadline ends the attempt. This timeout, which ends later, closes a connection that is silent.
      const options = { msgID: id, headers: toHeaders(headers), timeout: timeoutMs };
      const acknowledgement = await jetStream.publish(subject, body, options).catch((error) => {
        if (connection.stats().inMsgs === inMsgs && isTimeout(error)) void connection.close();
        throw error;
      });
      return { result: judgeAcknowledgement(acknowledgement) };
    } catch (error) {
      return { result: judgeNatsError(error, { subject, connectTimeoutMs, bytes: body.length, limit }), error };
    }
  }
}

function late({ isPublished }: Progress, timeoutMs: number): SendResult {
  const missing = isPublished ? 'acknowledgement of the stream' : 'connection to the NATS server';
  return failed(`No ${missing} within ${renderSeconds(timeoutMs)}.`);
}

function toHeaders(list: readonly string[]): MsgHdrs {
  const result = createHeaders();
  for (let i = 0; i < list.length; i += 2) result.append(list[i]!, list[i + 1]!);
  return result;
}
