// A receiver that decides when, and with what, each request is answered.

import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { type Receiver, startReceiver } from '../channels/receiver.ts';

/** Long enough for every request that such a receiver holds. */
export const patient = { FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '120', FLAGHOIST_STOP_TIMEOUT_SECONDS: '60' };
export const failed = 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n';

export interface HoldingReceiver extends Receiver {
  /** Until it has had so many requests. */
  claimedKeys(count: number): Promise<void>;
  /** The request that came as the `index`th. */
  answer(index: number, bytes: string): void;
  /** From that one on, those to come as well. */
  answerFrom(index: number, bytes: string): void;
  answerAll(bytes: string): void;
}

/** Holds every request until a test answers it. */
export async function startHolding(): Promise<HoldingReceiver> {
  const sockets: Socket[] = [];
  const answered = new Set<number>();
  let always: { from: number; bytes: string } | undefined;
  const answer = (index: number, bytes: string) => {
    if (!answered.has(index)) sockets[index]!.write(bytes);
    answered.add(index);
  };
  const receiver = await startReceiver({
    onRequest: (socket) => {
      const index = sockets.push(socket) - 1;
      if (always && index >= always.from) answer(index, always.bytes);
    },
  });
  const answerFrom = (from: number, bytes: string) => {
    always = { from, bytes };
    for (let index = from; index < sockets.length; index += 1) answer(index, bytes);
  };
  return Object.assign(receiver, {
    claimedKeys: (count: number) =>
      expect.poll(() => sockets.length, { timeout: 30_000, interval: 10 }).toBeGreaterThanOrEqual(count),
    answer,
    answerFrom,
    answerAll: (bytes: string) => answerFrom(0, bytes),
  });
}
