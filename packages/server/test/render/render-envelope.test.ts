// The envelope of a notification around its resource.

import { expect, test } from 'vitest';
import { renderEnvelopeContent, renderEnvelopeStart, type Shown } from '../../src/render/render-envelope.ts';

const head = {
  id: '17-42',
  sequence: 17,
  occurredAt: '2026-11-15T08:30:59.000120Z',
  objectType: 'EventLog',
  eventType: 'C',
  objectKey: 1050,
  subscriptionKey: 1200,
} as const;
const options = { restUrl: 'https://example.org/ws/rest', wireNames: 'service' } as const;

function renderEnvelope(
  shown: Shown,
  eventType = 'Voyage.U',
  named: Parameters<typeof renderEnvelopeStart>[2] = options,
) {
  return renderEnvelopeStart(head, eventType, named) + renderEnvelopeContent(head, shown);
}

test('has its members in the order of the interface, and the resource as it was rendered', () => {
  const resource = '{"key":1042,"freight":9999999999999999.99999999}';
  expect(renderEnvelope({ resource, changes: undefined })).toBe(
    '{"id":"17-42","eventTime":"2026-11-15T08:30:59","objectType":"EventLog","serviceObject":1050,"eventType":"C",' +
      '"serviceObjectSelf":"https://example.org/ws/rest/EventLog/1050",' +
      '"subscription":{"key":1200,"self":"https://example.org/ws/rest/WebhookSubscription/1200",' +
      '"eventType":"Voyage.U"},"resource":{"key":1042,"freight":9999999999999999.99999999},' +
      '"sequence":17,"occurredAt":"2026-11-15T08:30:59.000120Z"}',
  );
});

test('has the changes right after the resource, if there are any', () => {
  const text = renderEnvelope({ resource: 'null', changes: '[]' });
  expect(text).toContain('"resource":null,"changes":[],"sequence":17,"occurredAt":"2026-11-15T08:30:59.000120Z"}');
});

test('has the original names of two members, if the setting says so', () => {
  const shown = { resource: 'null', changes: '[]' };
  const text = renderEnvelope(shown, 'U', { restUrl: 'https://e.org', wireNames: 'dataloy' });
  expect(Object.keys(JSON.parse(text))).toEqual([
    'id',
    'eventTime',
    'objectType',
    'dataloyObject',
    'eventType',
    'dataloyObjectSelf',
    'subscription',
    'resource',
    'changes',
    'sequence',
    'occurredAt',
  ]);
  expect(JSON.parse(text)).toMatchObject({ dataloyObject: 1050, dataloyObjectSelf: 'https://e.org/EventLog/1050' });
});
