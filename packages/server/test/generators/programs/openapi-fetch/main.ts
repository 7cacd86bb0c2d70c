// Creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an object, and reads why another
// one cannot be deleted, with openapi-fetch and the types of openapi-typescript.

import { setTimeout } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './client';

async function main(): Promise<void> {
  const { FLAGHOIST_TOKEN, FLAGHOIST_URL, PORTS, RECEIVER_URL } = process.env;
  const headers = { authorization: `Bearer ${FLAGHOIST_TOKEN}` };
  const client = createClient<paths>({ baseUrl: FLAGHOIST_URL!, headers });

  const vessel = (await client.POST('/ws/rest/Vessel', { body: { vesselName: 'TypeScript' } })).data!;
  const body: components['schemas']['VoyageCreate'] = {
    vessel: vessel.key,
    voyageStatus: 'NOM',
    freight: 1234567.89,
    portCalls: PORTS!.split(',').map((port) => ({ port, reasonForCall: 'L' })),
  };
  const { key } = (await client.POST('/ws/rest/Voyage', { body })).data!;
  const params = { path: { key } };
  const voyage = (await client.GET('/ws/rest/Voyage/{key}', { params })).data!;

  const subscribed = await client.POST('/ws/rest/WebhookSubscription', {
    body: { eventTypes: ['Voyage.U'], url: RECEIVER_URL! },
  });
  const subscription = subscribed.data!;
  await client.PUT('/ws/rest/Voyage/{key}', { params, body: { comments: 'Changed' } });

  const filter = [`subscription.key(EQ)${subscription.key}`];
  let notifications: components['schemas']['WebhookNotificationMinimized'][] = [];
  while (notifications.length === 0) {
    await setTimeout(100);
    notifications = (await client.GET('/ws/rest/WebhookNotification', { params: { query: { filter } } })).data!;
  }
  const scrapped = (await client.POST('/ws/rest/Vessel', { body: { vesselName: 'Scrapped' } })).data!;
  await client.DELETE('/ws/rest/Vessel/{key}', { params: { path: { key: scrapped.key } } });
  const { error } = await client.DELETE('/ws/rest/WebhookSubscription/{key}', {
    params: { path: { key: subscription.key } },
  });
  const output = {
    voyage: voyage.key,
    vesselName: voyage.vessel?.vesselName,
    portCalls: voyage.portCalls?.length,
    status: voyage.voyageStatus,
    freight: voyage.freight,
    subscription: subscription.key,
    notifiedKeys: notifications.map(({ objectKey }) => objectKey),
    secretLength: subscription.signingSecret?.length,
    deleted: scrapped.key,
    error: error?.message,
  };
  console.log(JSON.stringify(output));
}

void main();
