// The envelope of a notification around its resource.

import { expect, test } from 'vitest';
import { renderEnvelope } from '../../src/render/render-envelope.ts';

const head = {
  id: '17-42',
  eventTime: '2026-11-15T08:30:59',
  objectType: 'EventLog',
  eventType: 'C',
  objectKey: 1050,
  subscriptionKey: 1200,
} as const;

test('has its members in the order of the interface, and the resource as it was rendered', () => {
  const resource = '{"key":1042,"freight":9999999999999999.99999999}';
  const options = { restUrl: 'https://example.org/ws/rest', wireNames: 'service' } as const;
  expect(renderEnvelope(head, 'Voyage.U', resource, options)).toBe(
    '{"id":"17-42","eventTime":"2026-11-15T08:30:59","objectType":"EventLog","eventType":"C","serviceObject":1050,' +
      '"serviceObjectSelf":"https://example.org/ws/rest/EventLog/1050",' +
      '"subscription":{"key":1200,"self":"https://example.org/ws/rest/WebhookSubscription/1200","eventType":"Voyage.U"},' +
      '"resource":{"key":1042,"freight":9999999999999999.99999999},"sequence":17}',
  );
});

test('has the original names of two members, if the setting says so', () => {
  const text = renderEnvelope(head, 'U', 'null', { restUrl: 'https://e.org', wireNames: 'dataloy' });
  expect(Object.keys(JSON.parse(text))).toEqual([
    'id',
    'eventTime',
    'objectType',
    'eventType',
    'dataloyObject',
    'dataloyObjectSelf',
    'subscription',
    'resource',
    'sequence',
  ]);
  expect(JSON.parse(text)).toMatchObject({ dataloyObject: 1050, dataloyObjectSelf: 'https://e.org/EventLog/1050' });
});
