// The span of an attempt ends however the attempt ends.

import { expect, onTestFinished, test } from 'vitest';
import type { Message } from '../../src/channels/registry/channel.ts';
import type { OpenChannels } from '../../src/channels/registry/open-channels.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { tracingOptionsOf } from '../../src/config/tracing-options-of.ts';
import { sendMessage } from '../../src/deliver/send/send-message.ts';
import type { Target } from '../../src/deliver/targets/target.ts';
import { openTracing } from '../../src/observe/traces/open-tracing.ts';
import { startCollector, tracedTo } from './collector.ts';
import { caller } from './spans.ts';

test('if the channel throws, the span ends with the error, and the caller gets it', async () => {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const { settings } = loadSettings(tracedTo(collector.url));
  const tracing = (await openTracing(tracingOptionsOf(settings), () => undefined))!;
  const throwing = () => {
    throw new RangeError('a fault of the channel');
  };
  const channels = { HTTP: { send: throwing } } as unknown as OpenChannels;
  const message = { id: '8-1', attempt: 1 } as Message;
  const target = { key: 7, channelType: 'HTTP', url: 'http://127.0.0.1:9/', confidential: [] } as unknown as Target;
  const { headers, traceId } = caller();
  const parent = { traceParent: headers.traceparent, traceState: undefined };
  const send = () => sendMessage({ channels, tracing }, message, target, new Date(), () => undefined, parent);
  expect(send).toThrow('a fault of the channel');
  await tracing.stop(10_000);
  expect(collector.spans).toMatchObject([
    { traceId, name: 'deliver HTTP', attributes: { 'error.type': 'RangeError' }, status: { code: 2 } },
  ]);
});
