// What the keys of listen do: resend, retry at once, and skip.

import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { type Attempt, Forwarder } from '../src/listen/forwarder.ts';
import { type Message, sign } from '../src/listen/message.ts';
import { startTarget, type Target } from './support/target.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const anHourAgo = new Date(Date.now() - 3_600_000);

function message(id: string): Message {
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
    headers: { 'content-type': 'application/json', ...sign(id, body, secret, anHourAgo) },
    body,
  };
}

function forwarderTo(target: Target | undefined): { forwarder: Forwarder; attempts: Attempt[]; stop: () => void } {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const attempts: Attempt[] = [];
  const forwarder = new Forwarder({
    target: target && { url: target.url, timeoutMs: 10_000 },
    retries: Number.POSITIVE_INFINITY,
    secret,
    signal: stopping.signal,
    onAttempt: (attempt) => void attempts.push(attempt),
  });
  return { forwarder, attempts, stop: () => stopping.abort() };
}

test('the last message is sent again with a new signature, because the old one has expired', async () => {
  const target = await startTarget({ secret });
  const { forwarder, attempts } = forwarderTo(target);
  await forwarder.resend();
  expect(attempts).toEqual([]);
  const forwarding = forwarder.forward(message('1-1'));
  // The target rejects its old timestamp, so it waits.
  await expect.poll(() => attempts.length).toBe(1);
  expect(attempts[0]).toMatchObject({ outcome: { status: 401, detail: 'as told' }, retryInMs: 1_000 });
  expect(forwarder.skip()).toBe('1-1');
  await forwarding;
  await forwarder.resend();
  expect(attempts.at(-1)).toMatchObject({ isResend: true, outcome: { isDelivered: true } });
  expect(target.deliveries.map(({ status }) => status)).toEqual([401, 204]);
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
