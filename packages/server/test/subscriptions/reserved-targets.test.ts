// Reserved names, blocked ports and mail addresses that can never be sent to, as whoever saves a subscription is told.

import { expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { mistakesIn, mistakesOf, receiver, subscribe, subscriptions } from './subscribe.ts';

const service = useTestService();

const internal =
  'cannot be sent to: host names that end in "internal" are never public. The operator of this service can allow it ' +
  'by adding all addresses of the host to FLAGHOIST_ALLOWED_TARGETS.';
const smtp = internal.replace(
  'host names that end in "internal" are never public',
  'port 25 is one that browsers block',
);
const metadata = 'http://metadata.google.internal/computeMetadata/v1/';

test('a reserved name is rejected by POST, in an array, by PUT and by the dry run', async () => {
  expect(await mistakesIn(service, { eventType: 'Voyage.U', url: metadata })).toEqual([`url: ${internal}`]);
  const array = await service.post(subscriptions, [
    { eventType: 'Voyage.U', url: receiver },
    { eventType: 'Voyage.U', channelInfo: { URL: metadata } },
  ]);
  expect(mistakesOf(array)).toEqual([`[1].channelInfo.URL: ${internal}`]);
  const { key } = await subscribe(service);
  expect(mistakesOf(await service.put(`${subscriptions}/${key}`, { url: metadata }))).toEqual([`url: ${internal}`]);
  const subscription = { eventType: 'Voyage.U', url: metadata };
  const dryRun = await service.post(`${subscriptions}/test`, { subscription, objectKey: 1 });
  expect(mistakesOf(dryRun)).toEqual([`subscription.url: ${internal}`]);
});

test('a blocked port is rejected, with a name and with an address', async () => {
  for (const url of ['https://receiver.example:25/', 'http://8.8.8.8:25/'])
    expect(await mistakesIn(service, { eventType: 'Voyage.U', url })).toEqual([`url: ${smtp}`]);
});

test('in a test environment, where loopback is allowed, localhost is accepted at any port', async () => {
  for (const url of ['http://127.0.0.1:9000/', 'http://localhost:9000/', 'http://LOCALHOST.:25/', 'http://[::1]:25/'])
    await subscribe(service, { url });
});

test('a mail address at a reserved name is accepted: the mail server may know it', async () => {
  await subscribe(service, { url: undefined, channelInfo: { channelType: 'EMAIL', URL: 'ops@localhost' } });
});
