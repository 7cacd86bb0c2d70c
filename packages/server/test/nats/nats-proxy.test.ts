// With an egress proxy, NATS servers are reached through it, and in no other way.

import { expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { startProxy } from '../channels/connect-proxy.ts';
import { describeNats, openClient, startNats } from '../channels/nats-server.ts';
import { createVoyage, settled, subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });

describeNats('with a server', () => {
  test('a notification is published through the proxy', async () => {
    const node = await startNats();
    const client = await openClient(node);
    await client.createStream('CHANGES', { subjects: ['flaghoist.>'] });
    const proxy = await startProxy({ ports: { 'nats.agent.example:4222': node.port } });
    const URL = 'tls://nats.agent.example:4222';
    const subscription = await subscribeTo(service, { channelInfo: { channelType: 'NATS', URL: node.url } });
    const unsafe = await subscribeTo(service, { channelInfo: { channelType: 'NATS', URL } });
    await startBeside(service.database, {
      FLAGHOIST_DATA_DIR: service.dataDir,
      FLAGHOIST_ROLES: 'worker',
      FLAGHOIST_DELIVERY_ATTEMPTS: '1',
      FLAGHOIST_EGRESS_PROXY: `http://127.0.0.1:${proxy.port}`,
    });
    await createVoyage(service);
    await settled(service, subscription, ['DELIVERED']);
    expect(await client.readStream('CHANGES')).toHaveLength(1);
    // The server has no TLS, so nothing was published to it by this URL.
    const [failed] = await settled(service, unsafe, ['FAILED'], 20_000);
    expect(failed.errorMessage).toMatch(/TLS/);
    expect(proxy.asked.sort()).toEqual([`127.0.0.1:${node.port}`, 'nats.agent.example:4222']);
  });
});
