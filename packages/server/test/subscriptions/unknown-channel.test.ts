// A subscription whose stored channel this version of the service does not know, for example after a downgrade.

import { expect, test } from 'vitest';
import { channelCodes } from '../../src/channel-types.ts';
import { read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { mistakesOf, pathOf, receiver, subscribe } from './subscribe.ts';

const service = useTestService();
const other = 'https://other.example/hooks';

async function subscribeByPigeon(): Promise<Shown> {
  const made = await subscribe(service);
  await service.database.pool.query(
    `update flaghoist_service.webhook_subscription set channel_info = '{"channelType":"PIGEON","URL":"${receiver}"}'
     where key = $1`,
    [made.key],
  );
  return read(service, 'WebhookSubscription', made.key);
}

test('a new url alone is rejected: the channel has to be named', async () => {
  const made = await subscribeByPigeon();
  for (const body of [{ url: other }, { channelInfo: { URL: other } }, { ...made, url: other }])
    expect(mistakesOf(await service.put(pathOf(made), body))).toEqual([
      'channelInfo.channelType: is required: this version of the service has no channel "PIGEON", which the ' +
        `subscription uses. Send one of ${channelCodes.join(', ')}.`,
    ]);
});

test('everything else can be changed, also by sending the whole subscription back', async () => {
  const made = await subscribeByPigeon();
  for (const body of [{ ...made, doNotUnsubscribe: true }, { doNotUnsubscribe: false }, { url: receiver }])
    expect((await service.put(pathOf(made), body)).status).toBe(200);
  const named = await service.put(pathOf(made), { url: other, channelInfo: { channelType: 'HTTP' } });
  expect(named.body.channelInfo).toEqual({ channelType: 'HTTP', URL: other });
});

test('a ping says why nothing can be sent', async () => {
  const made = await subscribeByPigeon();
  const { status, body } = await service.post(`${pathOf(made)}/ping`, {});
  expect([status, body.isDelivered, body.errorMessage]).toEqual([
    200,
    false,
    'This version of the service has no channel PIGEON.',
  ]);
});
