// Creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an object, and reads why another
// one cannot be deleted, with the client of the generator `typescript-fetch`.

import { setTimeout } from 'node:timers/promises';
import {
  Configuration,
  type ErrorBody,
  ErrorBodyFromJSON,
  ResponseError,
  VesselApi,
  VoyageApi,
  type VoyageCreate,
  WebhookNotificationApi,
  type WebhookNotificationMinimized,
  WebhookSubscriptionApi,
} from './client';

async function main(): Promise<void> {
  const { FLAGHOIST_TOKEN, PORT_KEYS, RECEIVER_URL } = process.env;
  const configuration = new Configuration({ accessToken: FLAGHOIST_TOKEN! });
  const voyages = new VoyageApi(configuration);

  const vessels = new VesselApi(configuration);
  const vessel = await vessels.createVessel({ vesselCreate: { vesselName: 'TypeScript' } });
  const voyageCreate: VoyageCreate = {
    vessel: { key: vessel.key },
    voyageStatus: 'NOM',
    freight: 1234567.89,
    portCalls: PORT_KEYS!.split(',').map((key) => ({ port: { key: Number(key) }, reasonForCall: 'L' })),
  };
  const { key } = await voyages.createVoyage({ voyageCreate });
  const voyage = await voyages.getVoyage({ key });

  const subscriptions = new WebhookSubscriptionApi(configuration);
  const subscription = await subscriptions.createWebhookSubscription({
    webhookSubscriptionCreate: { eventTypes: ['Voyage.U'], url: RECEIVER_URL! },
  });
  await voyages.updateVoyage({ key, voyageChange: { comments: 'Changed' } });

  const log = new WebhookNotificationApi(configuration);
  let notifications: WebhookNotificationMinimized[] = [];
  while (notifications.length === 0) {
    await setTimeout(100);
    notifications = await log.listWebhookNotifications({ filter: [`subscription.key(EQ)${subscription.key}`] });
  }
  const scrapped = await vessels.createVessel({ vesselCreate: { vesselName: 'Scrapped' } });
  await vessels.deleteVessel({ key: scrapped.key });
  const deletion = subscriptions.deleteWebhookSubscription({ key: subscription.key });
  const error = await deletion.then(() => undefined, readError);
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

async function readError(failure: unknown): Promise<ErrorBody> {
  if (failure instanceof ResponseError) return ErrorBodyFromJSON(await failure.response.json());
  throw failure;
}

void main();
