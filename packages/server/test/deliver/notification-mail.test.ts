// The mail of a notification, as a person reads it.

import { describe, expect, test } from 'vitest';
import { composeNotificationMail, type NotificationToMail } from '../../src/deliver/mail/compose-notification-mail.ts';
import { visibleText } from './visible-text.ts';

const restUrl = 'https://fleet.example/ws/rest';

const order = {
  key: 793628,
  self: `${restUrl}/BunkerOrder/793628`,
  createdDate: '2026-09-01T10:00:00',
  createdById: 3,
  externalObjectKey: null,
  bunkerOrderStatus: 'ORD',
  externalReferenceNo: 'BO-2026-0417',
  bunkeredDate: '2026-09-16T06:00:00',
  isOption: false,
  portCall: {
    key: 88,
    self: `${restUrl}/PortCall/88`,
    portCallSequence: 3,
    port: { key: 5, self: 'x', portName: 'Rotterdam', unLoCode: 'NLRTM' },
  },
  bunkerSupplier: { key: 9, self: 'x', businessPartnerCode: 'RMS', businessPartnerName: 'Rotterdam Marine Supply' },
  bunkerBroker: { key: 10, self: 'x' },
  bunkerOrderLines: [{ key: 1 }, { key: 2 }, { key: 3 }],
  tags: ['urgent', 'north'],
};

function notification(resource: unknown, changes: Partial<NotificationToMail> = {}): NotificationToMail {
  const id = '4711-98213';
  return {
    id,
    receiver: { key: 512, name: null, url: 'ops@agent.example', eventTypes: ['BunkerOrder.U'] },
    eventType: 'U',
    objectType: 'BunkerOrder',
    objectKey: 793628,
    subscribedObjectKey: 793628,
    occurredAt: '2026-09-14T08:15:22.123456Z',
    contentType: 'application/json',
    subject: null,
    body: JSON.stringify({ id, eventTime: '2026-09-14T08:15:22', resource }),
    restUrl,
    ...changes,
  };
}

describe('what a reader sees', () => {
  const mail = composeNotificationMail(notification(order));

  test('the subject names type, key and operation', () => {
    const subjectOf = (eventType: 'C' | 'U' | 'D') =>
      composeNotificationMail(notification(order, { eventType })).subject;
    expect(['C', 'U', 'D'].map((letter) => subjectOf(letter as 'C'))).toEqual([
      'BunkerOrder 793628 created',
      'BunkerOrder 793628 updated',
      'BunkerOrder 793628 deleted',
    ]);
  });

  test('the text says what happened, when and where, shows the object, and says how to end it', () => {
    expect(mail.text).toBe(`BunkerOrder 793628 updated

Bunker order 793628 was updated on 14 September 2026, 08:15:22 UTC.

https://fleet.example/console/objects/BunkerOrder/793628

  Bunker order status    ORD
  External reference no  BO-2026-0417
  Bunkered date          16 September 2026, 06:00 UTC
  Is option              no
  Port call              port call sequence 3 · Rotterdam · NLRTM
  Bunker supplier        RMS · Rotterdam Marine Supply
  Bunker broker          key 10
  Bunker order lines     3 bunker order lines
  Tags                   urgent, north

The whole notification is attached (4711-98213).

-- 
You get this mail because of webhook subscription 512 (BunkerOrder.U): https://fleet.example/console/subscriptions/512
To unsubscribe, send
PUT https://fleet.example/ws/rest/WebhookSubscription/512
{"unsubscribed": true}
`);
  });

  test('the HTML says the same', () => {
    const seen = visibleText(mail.html);
    for (const words of [
      'BunkerOrder 793628 updated',
      'Bunker order 793628 was updated on 14 September 2026, 08:15:22 UTC.',
      'Bunker supplier RMS · Rotterdam Marine Supply',
      '3 bunker order lines',
      'webhook subscription 512 (BunkerOrder.U)',
      '{"unsubscribed": true}',
    ])
      expect(seen).toContain(words);
    expect(mail.html).toContain('href="https://fleet.example/console/objects/BunkerOrder/793628"');
  });

  test('a subscription with a name is named by it as well', () => {
    const receiver = { key: 512, name: 'Desk <b>north</b>', url: 'ops@agent.example', eventTypes: ['BunkerOrder.U'] };
    const { text, html } = composeNotificationMail(notification(order, { receiver }));
    for (const words of [text.replace(/\s+/g, ' '), visibleText(html)])
      expect(words).toContain(
        'webhook subscription 512 "Desk <b>north</b>" (BunkerOrder.U): https://fleet.example/console',
      );
    expect(composeNotificationMail(notification(order, { receiver: { ...receiver, name: '  ' } })).text).toContain(
      'webhook subscription 512 (BunkerOrder.U): ',
    );
  });

  test('nothing is fetched when it is opened', () => {
    expect(mail.html).not.toMatch(/<(img|link|script|iframe|object|embed|form|base)\b|url\(|@import|\bsrc=/i);
  });

  test('the body is attached to the byte', () => {
    const { body } = notification(order);
    expect(mail.attachment).toEqual({
      fileName: 'notification-4711-98213.json',
      contentType: 'application/json',
      content: body,
    });
  });

  test('mails of one subscription can be told by their List-Id', () => {
    expect(mail.headers['List-Id']).toBe('Webhook subscription 512 <512.webhook-subscription.fleet.example>');
  });
});

test('a change in the hierarchy names both objects', () => {
  const mail = composeNotificationMail(notification(order, { objectType: 'EventLog', objectKey: 55, eventType: 'C' }));
  expect(mail.subject).toBe('EventLog 55 created (BunkerOrder 793628)');
  expect(mail.text).toContain(
    'Event log 55 was created on 14 September 2026, 08:15:22 UTC. This concerns BunkerOrder 793628',
  );
  expect(mail.text).toContain('https://fleet.example/console/objects/EventLog/55');
});

test('of several event types, the body says which type the subscribed object has', () => {
  const change = { objectType: 'EventLog', objectKey: 55, eventType: 'C' } as const;
  const receiver = { key: 512, name: null, url: 'ops@agent.example', eventTypes: ['Voyage.C', '*.U'] };
  const shown = { ...order, self: `${restUrl}/BunkerOrder/793628` };
  const mail = composeNotificationMail(notification(shown, { ...change, receiver }));
  expect(mail.subject).toBe('EventLog 55 created (BunkerOrder 793628)');
  expect(mail.text).toContain('webhook subscription 512 (Voyage.C, *.U): ');
  const raw = composeNotificationMail(notification(null, { ...change, receiver, body: JSON.stringify(shown) }));
  expect(raw.subject).toBe(mail.subject);
});

test('what was deleted is not linked to', () => {
  const mail = composeNotificationMail(notification(order, { eventType: 'D' }));
  expect(mail.text).not.toContain('/BunkerOrder/793628');
  expect(mail.html).not.toContain('/console/objects/');
});

test('a raw object is shown like the one of an envelope, also where it has an attribute named resource', () => {
  const raw = { ...order, resource: { name: 'Crane 4' } };
  const mail = composeNotificationMail(notification(order, { body: JSON.stringify(raw) }));
  expect(mail.text).toContain('Bunker order status    ORD');
  expect(mail.text).toMatch(/Resource +Crane 4/);
});

test('numbers keep every digit', () => {
  const body = '{"key":1,"quantity":12345678901234567.12345678}';
  expect(composeNotificationMail(notification(order, { body })).text).toContain('Quantity  12345678901234567.12345678');
});

test('many attributes and long values are cut, and it says so', () => {
  const many = Object.fromEntries(Array.from({ length: 47 }, (_, index) => [`attribute${index}`, '🚢'.repeat(1_000)]));
  const mail = composeNotificationMail(notification(many));
  expect(mail.text).toContain('The attachment contains 7 more.');
  expect(visibleText(mail.html)).toContain('The attachment contains 7 more.');
  expect(mail.text.match(/^ {2}Attribute/gm)).toHaveLength(40);
  expect(mail.text.length).toBeLessThan(20_000);
  expect(Buffer.from(mail.text).toString()).toBe(mail.text);
});

describe('a body that is not JSON', () => {
  const xml = `<?xml version="1.0"?>\n<BunkerOrder>\n  <key>793628</key>${' '.repeat(5_000)}</BunkerOrder>`;

  test('is shown as it is, cut, and attached whole', () => {
    const mail = composeNotificationMail(
      notification(order, { contentType: 'application/xml; charset=utf-8', body: xml }),
    );
    expect(mail.text).toContain('<BunkerOrder>\n  <key>793628</key>');
    expect(visibleText(mail.html)).toContain('<BunkerOrder> <key>793628</key>');
    expect(mail.html.length).toBeLessThan(12_000);
    expect(mail.attachment).toMatchObject({ fileName: 'notification-4711-98213.xml', content: xml });
  });

  test.each([
    ['text/html', 'html'],
    ['text/plain; charset=utf-8', 'txt'],
    ['application/vnd.fleet+xml', 'xml'],
    ['application/vnd.fleet+json', 'json'],
    ['text/csv', 'csv'],
    ['image/png', 'dat'],
  ])('%s is attached as .%s', (contentType, extension) => {
    const mail = composeNotificationMail(notification(order, { contentType, body: 'x' }));
    expect(mail.attachment?.fileName).toBe(`notification-4711-98213.${extension}`);
  });

  test('JSON that is broken, or no object, is shown as text', () => {
    for (const body of ['{"key":', '[1,2]', '"text"'])
      expect(composeNotificationMail(notification(order, { body })).text).toContain(body);
  });
});

describe('SSD-31: text of an object stays text', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\r\nBcc: thief@evil.example &lt;b&gt;';

  test('in values, in names, and in a body that is not JSON', () => {
    for (const changed of [
      notification({ externalReferenceNo: hostile, [`a${hostile}`]: 1, vessel: { vesselName: hostile } }),
      notification(order, { contentType: 'text/plain', body: hostile }),
    ]) {
      const mail = composeNotificationMail(changed);
      expect(mail.html).not.toMatch(/<script|<img|onerror=alert\(1\)>/i);
      expect(visibleText(mail.html)).toContain('"><script>alert(1)</script><img src=x onerror=alert(1)> Bcc:');
      expect(visibleText(mail.html)).toContain('&lt;b&gt;');
      expect(mail.subject).toBe('BunkerOrder 793628 updated');
    }
  });

  test('a name that reaches into prototypes does no harm', () => {
    const body = '{"key":1,"__proto__":{"x":1},"constructor":2}';
    expect(() => composeNotificationMail(notification(order, { body }))).not.toThrow();
  });
});
