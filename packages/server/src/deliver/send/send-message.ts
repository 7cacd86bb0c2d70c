// Sends one message over the channel of a subscription, and measures the duration.

import { maskSecrets } from '../../channels/mask-secrets.ts';
import type { Message } from '../../channels/registry/channel.ts';
import type { OpenChannels } from '../../channels/registry/open-channels.ts';
import type { SendResult } from '../../channels/send-result.ts';
import type { Attempt } from '../outcomes/outcome.ts';
import type { Target } from '../targets/target.ts';

/** `onEnd` is called once, after this function has returned. */
export function sendMessage(
  channels: OpenChannels,
  message: Message,
  target: Target,
  startedAt: Date,
  onEnd: (attempt: Attempt) => void,
): void {
  const began = performance.now();
  const end = (result: SendResult) => {
    const endedAtMs = performance.now();
    onEnd({ startedAt, durationMs: endedAtMs - began, endedAtMs, result: masked(result, target) });
  };
  if (Object.hasOwn(channels, target.channelType)) channels[target.channelType].send(message, target, startedAt, end);
  else queueMicrotask(() => end(unknownChannel(target)));
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
