// Creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an object, and reads why another
// one cannot be deleted, with the client of @hey-api/openapi-ts.

import { setTimeout } from 'node:timers/promises';
import {
  createVessel,
  createVoyage,
  createWebhookSubscription,
  deleteVessel,
  deleteWebhookSubscription,
  getVoyage,
  listWebhookNotifications,
  updateVoyage,
  type WebhookNotificationMinimized,
} from './client';
import { client } from './client/client.gen';

async function main(): Promise<void> {
  const { FLAGHOIST_TOKEN, PORTS, RECEIVER_URL } = process.env;
  client.setConfig({ auth: () => FLAGHOIST_TOKEN, throwOnError: true });

  const vessel = (await createVessel({ body: { vesselName: 'TypeScript' }, throwOnError: true })).data;
  const created = await createVoyage({
    body: {
      vessel: vessel.key,
      voyageStatus: 'NOM',
      freight: 1234567.89,
      portCalls: PORTS!.split(',').map((port) => ({ port, reasonForCall: 'L' })),
    },
    throwOnError: true,
  });
  const path = { key: created.data.key };
  const voyage = (await getVoyage({ path, throwOnError: true })).data;

  const body = { eventTypes: ['Voyage.U'], url: RECEIVER_URL! };
  const subscription = (await createWebhookSubscription({ body, throwOnError: true })).data;
  await updateVoyage({ path, body: { comments: 'Changed' }, throwOnError: true });

  const query = { filter: [`subscription.key(EQ)${subscription.key}`] };
  let notifications: WebhookNotificationMinimized[] = [];
  while (notifications.length === 0) {
    await setTimeout(100);
    notifications = (await listWebhookNotifications({ query, throwOnError: true })).data;
  }
  const scrapped = (await createVessel({ body: { vesselName: 'Scrapped' }, throwOnError: true })).data;
  await deleteVessel({ path: { key: scrapped.key }, throwOnError: true });
  const { error } = await deleteWebhookSubscription({ path: { key: subscription.key }, throwOnError: false });
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
