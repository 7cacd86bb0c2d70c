// A trace continues over NATS as it does over HTTP.

import { afterAll, expect, test } from 'vitest';
import { describeNats, openClient, startNats } from '../channels/nats-server.ts';
import { settled, subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';
import { startCollector, tracedTo } from './collector.ts';
import { caller, named, spanIdIn, traceIdIn } from './spans.ts';

const collector = await startCollector();
afterAll(() => collector.close());
const service = useTestService({ ...tracedTo(collector.url), FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: '5' });

describeNats('with a server', () => {
  test('the message has a traceparent with the span of its attempt, and no tracestate', async () => {
    const node = await startNats();
    const client = await openClient(node);
    await client.createStream('CHANGES', { subjects: ['flaghoist.>'] });
    const subscription = await subscribeTo(service, { channelInfo: { channelType: 'NATS', URL: node.url } });
    const { headers, traceId } = caller();
    await service.post('/ws/rest/Voyage', {}, headers);
    await settled(service, subscription, ['DELIVERED']);
    const [message] = await client.readStream('CHANGES');
    const spans = await collector.trace(traceId, (all) => named(all, 'deliver NATS') !== undefined);
    const { traceparent, tracestate } = message!.headers;
    expect(traceIdIn(traceparent)).toBe(traceId);
    expect(spanIdIn(traceparent)).toBe(named(spans, 'deliver NATS')!.spanId);
    expect(tracestate).toBeUndefined();
  });
});
