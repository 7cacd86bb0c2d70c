// Subscriptions in the API description.

import { beforeAll, describe, expect, test } from 'vitest';
import { channelCodes } from '../../src/channel-types.ts';
import { type Document, follow } from '../describe/api-document.ts';
import type { Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { post } from './subscribe.ts';

const service = useTestService();
let schemas: Shown;
let document: Shown;
beforeAll(async () => {
  ({ body: document } = await service.get('/openapi.json'));
  ({ schemas } = document.components);
});

test('every attribute of a response is described, and the password is not among them', async () => {
  const { body } = await post(service, { eventType: 'Voyage.U', url: 'https://receiver.example/' });
  expect(Object.keys(schemas.WebhookSubscriptionCreated.properties).sort()).toEqual(Object.keys(body).sort());
  for (const name of ['WebhookSubscription', 'WebhookSubscriptionCreated'])
    expect(schemas[name].properties).not.toHaveProperty('webhookPassword');
  expect(schemas.WebhookSubscription.properties).not.toHaveProperty('signingSecret');
});

test('the password is write-only where it can be sent', () => {
  for (const name of ['WebhookSubscriptionCreate', 'WebhookSubscriptionChange'])
    expect(schemas[name].properties.webhookPassword).toMatchObject({ type: ['string', 'null'], writeOnly: true });
});

test('channelInfo has a schema: complete in responses, with optional members in requests', () => {
  const properties = { channelType: { enum: channelCodes }, URL: { type: 'string' } };
  const shown = schemas.WebhookSubscription.properties.channelInfo;
  expect(follow(document as Document, shown)).toMatchObject({ type: 'object', required: ['channelType'], properties });
  const { channelInfo: created } = schemas.WebhookSubscriptionCreate.properties;
  expect(created.anyOf[1]).toEqual({ type: 'null' });
  for (const sent of [created.anyOf[0], schemas.WebhookSubscriptionChange.properties.channelInfo]) {
    const schema = follow(document as Document, sent);
    expect(schema).toMatchObject({ type: 'object', properties, additionalProperties: false });
    expect(schema).not.toHaveProperty('required');
  }
});

test('the example of a dry run can be sent: only its object does not exist', async () => {
  const [example] = schemas.WebhookSubscriptionTestRequest.examples;
  const { status, body } = await service.post('/ws/rest/WebhookSubscription/test', example);
  expect(status).toBe(400);
  expect(body.violations.map(({ path }: Shown) => path)).toEqual(['objectKey']);
});

test.each(['Decisions', 'Test'])('the example of a response is consistent: %s', (action) => {
  const [example] = schemas[`WebhookSubscription${action}Answer`].examples;
  expect(example.isNotified).toBe(example.reason === 'NOTIFIED');
});

test('the examples can be sent', async () => {
  const [example] = schemas.WebhookSubscriptionCreate.examples;
  expect(example).toMatchObject({ eventTypes: ['BunkerOrder.U'] });
  const { status, text } = await post(service, example);
  expect(status, text).toBe(201);
});

describe('the rejections', () => {
  test.each(['unsubscribed', 'notReactivated', 'stillSubscribed', 'hasNotifications'])(
    'have an example: %s',
    (code) => {
      const { examples } = document.components.responses.Conflict.content['application/json'];
      expect(examples[code].value.statusCode).toBe(409);
    },
  );
});

test('the page for people lists the password with the other attributes', async () => {
  const { text } = await service.get('/docs');
  const section = text.slice(
    text.lastIndexOf('data-type="WebhookSubscription"'),
    text.lastIndexOf('data-type="WebhookNotification"'),
  );
  expect(section).toContain('<code>webhookPassword</code>');
});
