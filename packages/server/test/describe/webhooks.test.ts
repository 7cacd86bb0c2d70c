// The `webhooks` of the API description: the messages that the service sends are as described.

import type { ErrorObject, ValidateFunction } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildOpenApi } from '../../src/describe/build-openapi.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { startHooks, subscribeTo } from '../deliver/hooks.ts';
import { heardBy, subscribe } from '../match/heard.ts';
import { bunkerOrderBody, create, createFleet, createVoyage } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import type { Document, OperationNode } from './api-document.ts';
import { openSchemas } from './check-answer.ts';
import { withSettings } from './description-options.ts';

const service = useTestService();
let document: Document & { components: { pathItems: Record<'notification' | 'ping', { post: OperationNode }> } };
beforeAll(async () => {
  document = (await service.get('/openapi.json')).body;
});

/** Compiling takes seconds: the envelope may have an object of any type. */
let envelope: ValidateFunction | undefined;

/** What is wrong with a body, by the description. */
function mistakesIn(body: unknown): ErrorObject[] {
  envelope ??= openSchemas(document).compile({ $ref: 'document#/components/schemas/NotificationBody' });
  envelope(body);
  return envelope.errors ?? [];
}

describe('a notification', () => {
  test('is as described: for an object, for its hierarchy, and for a deleted object', async () => {
    const fleet = await createFleet(service);
    const subscriptions = [
      await subscribe(service, { eventType: 'BunkerOrder.C' }),
      await subscribe(service, { eventType: 'BunkerOrder.U', includeChanges: true }),
      await subscribe(service, { eventType: 'BunkerOrder.D', json: Buffer.from('{"vessel":"*"}').toString('base64') }),
    ];
    const voyage = await createVoyage(service, fleet);
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
    await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed: 12.25 });
    await service.delete(`/ws/rest/BunkerOrder/${order.key}`);
    for (const subscription of subscriptions) {
      const [sent] = await heardBy(service, subscription);
      expect(mistakesIn(sent!.body)).toEqual([]);
      const { schemas } = document.components;
      const described = Object.keys(schemas.NotificationBody!.properties!);
      expect(Object.keys(sent!.body)).toEqual(described.filter((name) => name !== 'changes' || sent!.body.changes));
    }
    expect(mistakesIn({ id: 'x' })).not.toEqual([]);
  });

  test('has the described headers', () => {
    const { parameters } = document.components.pathItems.notification.post as unknown as {
      parameters: { name: string }[];
    };
    expect(parameters.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'User-Agent',
      'flaghoist-event',
      'flaghoist-sequence',
      'flaghoist-attempt',
      'flaghoist-replay',
      'flaghoist-subscription',
    ]);
  });

  test('states the time limit, the number of attempts, and the responses that delay a retry', () => {
    const { description, responses } = document.components.pathItems.notification.post;
    expect(description).toMatch(/within 10 s.*as many attempts as `retryPolicy` says, by default up to 5, 60 s apart/);
    expect(Object.keys(responses)).toEqual(['429', '503', '2XX', 'default']);
  });

  test('exists for every type that creates events, and for no other', () => {
    const { objectType } = document.components.schemas.NotificationBody!.properties!;
    expect(objectType!.enum).toContain('EventLog');
    for (const silent of ['Remarks', 'Attachment', 'ApiUser', 'WebhookSubscription', 'WebhookNotification'])
      expect(objectType!.enum).not.toContain(silent);
  });
});

test('a ping and its headers are as described', async () => {
  const hooks = await startHooks();
  const { key } = await subscribeTo(service, { url: hooks.url });
  await service.post(`/ws/rest/WebhookSubscription/${key}/ping`, {});
  const [received] = hooks.received;
  const { parameters, requestBody } = document.components.pathItems.ping.post as OperationNode & {
    parameters: { name: string; schema: object }[];
  };
  const schemas = openSchemas(document);
  const validate = schemas.compile({ $ref: `document${requestBody!.content['application/json']!.schema.$ref}` });
  validate(JSON.parse(received!.body.toString()));
  expect(validate.errors ?? []).toEqual([]);
  for (const { name, schema } of parameters) {
    const text = received!.headers[name.toLowerCase()];
    const isGood = schemas.compile(schema);
    const isNumber = 'type' in schema && schema.type === 'integer';
    expect(isGood(isNumber ? Number(text) : text), `${name}: ${text}`).toBe(true);
  }
});

test('with the wire names `dataloy`, the description has these names', () => {
  const { components } = buildOpenApi(buildModel(catalogue), withSettings({ FLAGHOIST_WIRE_NAMES: 'dataloy' }));
  const { required } = components.schemas.NotificationBody!;
  expect(required).toEqual(expect.arrayContaining(['dataloyObject', 'dataloyObjectSelf']));
  expect(required).not.toContain('serviceObject');
});
