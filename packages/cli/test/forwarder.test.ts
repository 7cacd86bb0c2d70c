// How listen signs what it sends again, and what its keys do: resend, retry at once, and skip.

import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Attempt, Forwarder } from '../src/listen/forwarder.ts';
import { type Message, sign } from '../src/listen/message.ts';
import { startTarget, type Target } from './support/target.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const anHourAgo = new Date(Date.now() - 3_600_000);

function message(id: string, signedAt = new Date()): Message {
  const body = `{"id":"${id}"}`;
  return {
    id,
    origin: 'stream',
    event: 'Voyage.U',
    resourceKey: 1007,
    objectType: 'Voyage',
    operation: 'U',
    objectKey: 1007,
    sequence: 1,
    attempt: 1,
    headers: { 'content-type': 'application/json', ...sign(id, body, secret, signedAt) },
    body,
  };
}

/** For the target, too. */
function laterBy(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 });
  onTestFinished(() => void vi.useRealTimers());
}

interface Forwarding {
  forwarder: Forwarder;
  attempts: Attempt[];
  stop(): void;
}

function forwarderTo(target: Target | undefined, known: string | null = secret): Forwarding {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const attempts: Attempt[] = [];
  const forwarder = new Forwarder({
    target: target && { url: target.url, timeoutMs: 10_000 },
    retries: Number.POSITIVE_INFINITY,
    secret: known ?? undefined,
    signal: stopping.signal,
    onAttempt: (attempt) => void attempts.push(attempt),
  });
  return { forwarder, attempts, stop: () => stopping.abort() };
}

test('each attempt is signed anew, however long the target was away, and so is a resend', async () => {
  const target = await startTarget({ secret });
  const { forwarder, attempts } = forwarderTo(target);
  await forwarder.resend();
  expect(attempts).toEqual([]);
  target.status = 500;
  const forwarding = forwarder.forward(message('1-1'));
  await expect.poll(() => attempts.length).toBe(1);
  laterBy(6 * 60);
  target.status = 204;
  await forwarder.resend();
  await forwarding;
  laterBy(6 * 60);
  await forwarder.resend();
  expect(attempts.at(-1)).toMatchObject({ isResend: true, outcome: { isDelivered: true } });
  expect(target.deliveries.map(({ status }) => status)).toEqual([500, 204, 204]);
  // What is shown is what was sent.
  for (const [at, { headers }] of target.deliveries.entries())
    expect(headers).toMatchObject(attempts[at]!.message.headers);
});

test('without the secret, an attempt has the newest signature of the service', async () => {
  const target = await startTarget({ secret });
  const { forwarder, attempts } = forwarderTo(target, null);
  const streamed = message('1-1', anHourAgo);
  const forwarding = forwarder.forward(streamed);
  await expect.poll(() => attempts.length).toBe(1);
  expect(attempts[0]).toMatchObject({ outcome: { status: 401, detail: 'as told' }, retryInMs: 1_000 });
  await forwarder.resend();
  await expect.poll(() => attempts.length).toBe(2);
  // As the consumer of the stream does when the service sends it again.
  Object.assign(streamed.headers, message('1-1').headers);
  await forwarder.resend();
  await forwarding;
  expect(target.deliveries.map(({ id, status }) => [id, status])).toEqual([
    ['1-1', 401],
    ['1-1', 401],
    ['1-1', 204],
  ]);
  expect(attempts.map((attempt) => attempt.message.attempt)).toEqual([1, 2, 3]);
});

test('after a rotation elsewhere, the signature of the service counts', async () => {
  const target = await startTarget({ secret });
  const { forwarder } = forwarderTo(target, `whsec_${randomBytes(32).toString('base64')}`);
  await forwarder.forward(message('1-1', new Date()));
  expect(target.accepted()).toEqual(['1-1']);
});

test('a message that waits for a retry is retried at once, or skipped', async () => {
  const target = await startTarget();
  target.status = 500;
  const { forwarder, attempts } = forwarderTo(target);
  const forwarding = forwarder.forward(message('1-1'));
  for (let count = 1; count < 6; count += 1) {
    await expect.poll(() => attempts.length).toBe(count);
    await forwarder.resend();
  }
  await expect.poll(() => attempts.length).toBe(6);
  expect(attempts.map(({ retryInMs }) => retryInMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  expect(target.deliveries.at(-1)!.headers['flaghoist-attempt']).toBe('6');
  forwarder.skip();
  await forwarding;
  expect(forwarder.skip()).toBeUndefined();
});

test('what waits for a retry is not acknowledged when listen stops', async () => {
  const target = await startTarget();
  target.status = 500;
  const { forwarder, attempts, stop } = forwarderTo(target);
  const forwarding = forwarder.forward(message('1-1'));
  await expect.poll(() => attempts.length).toBe(1);
  stop();
  await expect(forwarding).rejects.toThrow('aborted');
});

test('without a target, a message is shown and done', async () => {
  const { forwarder, attempts } = forwarderTo(undefined);
  await forwarder.forward(message('1-1'));
  expect(attempts).toMatchObject([{ outcome: undefined, retryInMs: undefined }]);
});
