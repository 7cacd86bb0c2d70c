// Sends one message over the channel of a subscription, and measures the duration.

import { maskSecrets } from '../../channels/mask-secrets.ts';
import type { Message } from '../../channels/registry/channel.ts';
import type { OpenChannels } from '../../channels/registry/open-channels.ts';
import type { SendResult } from '../../channels/send-result.ts';
import type { TraceParent, Tracing } from '../../observe/traces/tracing.ts';
import type { Attempt } from '../outcomes/outcome.ts';
import type { Target } from '../targets/target.ts';
import { beginAttempt, endAttempt } from './attempt-span.ts';

export interface Sending {
  channels: OpenChannels;
  /** Undefined if it is off. */
  tracing?: Tracing | undefined;
}

/** `onEnd` is called once, after this function has returned. `parent`: the trace of the message, if there is one. */
export function sendMessage(
  { channels, tracing }: Sending,
  message: Message,
  target: Target,
  startedAt: Date,
  onEnd: (attempt: Attempt) => void,
  parent?: TraceParent,
): void {
  const span = tracing && parent && beginAttempt(tracing, parent, message, target);
  const began = performance.now();
  const end = (result: SendResult) => {
    const endedAtMs = performance.now();
    const shown = masked(result, target);
    if (span) endAttempt(span, shown, target);
    onEnd({ startedAt, durationMs: endedAtMs - began, endedAtMs, result: shown });
  };
  const sent = span ? { ...message, traceParent: span.asParent.traceParent } : message;
  try {
    if (Object.hasOwn(channels, target.channelType)) channels[target.channelType].send(sent, target, startedAt, end);
    else queueMicrotask(() => end(unknownChannel(target)));
  } catch (error) {
    const { name } = error as Error;
    span?.end({ 'error.type': name }, name);
    throw error;
  }
}

/** A later version of the service may have stored a channel that this one does not know. */
function unknownChannel({ channelType }: Target): SendResult {
  const reason = `This version of the service has no channel ${channelType}.`;
  return { kind: 'failed', reason, statusCode: null, answer: null, retryAfterMs: undefined };
}

/** A receiver may send back what it was sent. Secrets must stay write-only even then. */
function masked(result: SendResult, { confidential }: Target): SendResult {
  if (result.kind === 'ownFault' || result.answer === null || confidential.length === 0) return result;
  return { ...result, answer: maskSecrets(result.answer, confidential) };
}
