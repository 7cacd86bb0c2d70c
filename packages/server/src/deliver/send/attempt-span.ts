// The span of one attempt to deliver a message. It names the subscription and the host, never a URL or a header: they
// may have secrets.

import type { ChannelSpans, Message } from '../../channels/registry/channel.ts';
import { channelRegistry } from '../../channels/registry/channel-registry.ts';
import type { SendResult } from '../../channels/send-result.ts';
import type { Span, TraceParent, Tracing } from '../../observe/traces/tracing.ts';
import type { Target } from '../targets/target.ts';

/** Undefined if the trace of the message is not sampled. */
export function beginAttempt(
  tracing: Tracing,
  parent: TraceParent,
  message: Message,
  { key, channelType, url }: Target,
): Span | undefined {
  const attributes = {
    'flaghoist.subscription': key,
    'flaghoist.notification': message.id,
    'flaghoist.attempt': message.attempt,
    'flaghoist.channel': channelType,
    ...spansOf(channelType)?.attributesOf(url, message.attempt),
  };
  return tracing.begin({ name: `deliver ${channelType}`, kind: 'client', parent, attributes });
}

/** `result`: without the secrets of the subscription. */
export function endAttempt(span: Span, result: SendResult, { channelType }: Target): void {
  const statusCode = result.kind === 'ownFault' ? null : result.statusCode;
  const statusName = spansOf(channelType)?.statusName ?? 'flaghoist.status_code';
  const attributes = { 'flaghoist.outcome': result.kind, [statusName]: statusCode ?? undefined };
  if (result.kind === 'delivered') span.end(attributes);
  else span.end({ ...attributes, 'error.type': statusCode === null ? result.kind : String(statusCode) }, result.reason);
}

/** A later version of the service may have stored a channel that this one does not know. */
function spansOf(channelType: Target['channelType']): ChannelSpans | undefined {
  return Object.hasOwn(channelRegistry, channelType) ? channelRegistry[channelType].spans : undefined;
}
