// The mail about a deactivated subscription, as its owner reads it.

import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { composeAlertMail, type Deactivation } from '../../src/deliver/mail/compose-alert-mail.ts';
import { visibleText } from './visible-text.ts';

const baseUrl = 'https://fleet.example';

function deactivation(changes: Partial<Deactivation> = {}, subscription: Partial<Deactivation['subscription']> = {}) {
  return {
    subscription: {
      key: 512,
      name: null,
      eventTypes: ['BunkerOrder.U'],
      channelInfo: { channelType: 'HTTP' as const, URL: 'https://agent.example/webhooks?fleet=north' },
      ...subscription,
    },
    user: { name: 'Kari Nordmann', email: 'kari@agent.example' },
    failingSince: new Date('2026-09-14T08:15:22Z'),
    firstAttemptAt: new Date('2026-09-14T08:15:22Z'),
    lastAttemptAt: new Date('2026-09-14T08:19:24Z'),
    attempts: 5,
    schedule: { attemptsMax: 5, intervalMs: 60_000, isExponential: false, intervalMaxMs: Number.POSITIVE_INFINITY },
    hasOwnPolicy: false,
    lastError: 'The receiver answered 503.',
    lastAnswer: '<h1>Service Unavailable</h1>',
    waiting: 38,
    collectsUntil: new Date('2026-09-28T08:19:24Z'),
    baseUrl,
    ...changes,
  };
}

describe('the mail', () => {
  const mail = composeAlertMail(deactivation());

  test('goes to the user, once for a subscription, with a subject that says what happened', () => {
    expect(mail).toMatchObject({ id: 'alert-512', to: 'kari@agent.example' });
    expect(mail.subject).toBe('Flaghoist: deliveries of BunkerOrder.U to agent.example have stopped');
  });

  test.each([
    'Hello Kari Nordmann,',
    'webhook subscription 512 could not be delivered in 5 attempts.',
    '512 (BunkerOrder.U)',
    'https://agent.example/webhooks?fleet=north',
    '14 September 2026, 08:15:22 UTC',
    '14 September 2026, 08:19:24 UTC',
    '5 in 4 minutes 2 seconds',
    '5 attempts, 1 minute apart (the default)',
    'https://fleet.example/console/subscriptions/512',
    'The receiver answered 503.',
    '<h1>Service Unavailable</h1>',
    '38 notifications',
    'until 28 September 2026',
    '"replaces": 512',
    "'https://fleet.example/ws/rest/WebhookSubscription/512/sendFailedNotifications'",
  ])('%s, in the text and in the HTML', (words) => {
    expect(mail.text.replace(/\s+/g, ' ')).toContain(words);
    expect(visibleText(mail.html)).toContain(words);
  });

  test('a name is shown with the key, and the new subscription gets it too', () => {
    const named = { name: 'Bunker orders\u202e\nto the agent', shape: { name: 'Bunker orders' } };
    const { text, html } = composeAlertMail(deactivation({}, named));
    for (const words of [text.replace(/\s+/g, ' '), visibleText(html)]) {
      expect(words).toContain('webhook subscription 512 "Bunker ordersU+202EU+000Ato the agent" could not be');
      expect(words).toContain('512 "Bunker ordersU+202EU+000Ato the agent" (BunkerOrder.U)');
      expect(words).toContain('"name": "Bunker orders"');
    }
  });

  test('the retry policy of the subscription is named', () => {
    const schedule = { attemptsMax: 20, intervalMs: 30_000, isExponential: true, intervalMaxMs: 5_400_000 };
    const { text } = composeAlertMail(deactivation({ schedule, hasOwnPolicy: true }));
    expect(text.replace(/\s+/g, ' ')).toContain(
      '20 attempts, the first two 30 seconds apart, then twice as long each time, up to 1 hour 30 minutes ' +
        '(of this subscription)',
    );
  });

  test('nothing is fetched when it is opened', () => {
    expect(mail.html).not.toMatch(/<(img|link|script|iframe|object|embed|form|base)\b|url\(|@import|\bsrc=/i);
  });

  test('without a response, and with one notification', () => {
    const { text } = composeAlertMail(deactivation({ lastAnswer: null, waiting: 1, attempts: 1, collectsUntil: null }));
    expect(text).not.toContain('last response');
    expect(text).toMatch(/Not delivered +1 notification\n/);
    expect(text).toContain('could not be delivered in 1 attempt.');
    expect(text).toContain('collects no further notifications');
  });

  test('an e-mail subscription is named by its address', () => {
    const mail = composeAlertMail(
      deactivation({}, { channelInfo: { channelType: 'EMAIL', URL: 'ops@agent.example' } }),
    );
    expect(mail.subject).toBe('Flaghoist: deliveries of BunkerOrder.U to ops@agent.example have stopped');
    expect(mail.text.replace(/\s+/g, ' ')).toContain(
      '"channelInfo": { "channelType": "EMAIL", "URL": "ops@agent.example" }',
    );
  });
});

describe('the commands', () => {
  /** What `curl` would be called with, were it pasted into a shell. */
  function argumentsOf(text: string): string[][] {
    const commands = text.match(/^ {2}curl(.|\n)*?'$(?=\n\n)/gm) ?? [];
    const script = `curl() { printf '%s\\0' "$@"; printf '\\n\\0'; }\nTOKEN=t\n${commands.join('\n')}\n`;
    const output = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
    return output
      .split('\n\0')
      .slice(0, -1)
      .map((line) => line.split('\0').slice(0, -1));
  }

  test('work when they are pasted into a shell', () => {
    const [create, resend] = argumentsOf(composeAlertMail(deactivation()).text);
    expect(create?.filter((word) => !word.startsWith('{'))).toEqual([
      ...['-X', 'POST', '-H', 'Authorization: Bearer t', '-H', 'Content-Type: application/json', '-d'],
      'https://fleet.example/ws/rest/WebhookSubscription',
    ]);
    expect(JSON.parse(create![7]!)).toEqual({
      eventType: 'BunkerOrder.U',
      url: 'https://agent.example/webhooks?fleet=north',
      replaces: 512,
    });
    expect(resend).toEqual([
      ...['-X', 'POST', '-H', 'Authorization: Bearer t'],
      'https://fleet.example/ws/rest/WebhookSubscription/512/sendFailedNotifications',
    ]);
  });

  test('repeat several event types, of which the subject names the first three', () => {
    const eventTypes = ['Voyage.C', 'Voyage.U', '*.D', 'Cargo.*'];
    const mail = composeAlertMail(deactivation({}, { eventTypes }));
    expect(mail.subject).toContain('deliveries of Voyage.C, Voyage.U, *.D and 1 more to agent.example have stopped');
    expect(JSON.parse(argumentsOf(mail.text)[0]![7]!)).toMatchObject({ eventTypes, replaces: 512 });
    const [wildcard] = argumentsOf(composeAlertMail(deactivation({}, { eventTypes: ['Voyage.*'] })).text);
    expect(JSON.parse(wildcard![7]!)).toMatchObject({ eventTypes: ['Voyage.*'] });
  });

  test('run nothing that is in the URL of a receiver', () => {
    const url = "https://agent.example/'$(touch x)`id`\";!!\\'\\n/&|x";
    const [create] = argumentsOf(
      composeAlertMail(deactivation({}, { channelInfo: { channelType: 'HTTP', URL: url } })).text,
    );
    expect((JSON.parse(create![7]!) as { url: string }).url).toBe(url);
  });
});

test('SSD-31: the response of a receiver and the name of a user stay text', () => {
  const hostile = '"><script>alert(1)</script>\r\nBcc: thief@evil.example';
  const mail = composeAlertMail(
    deactivation({
      lastAnswer: hostile.repeat(200),
      lastError: hostile,
      user: { name: hostile, email: 'kari@agent.example' },
    }),
  );
  expect(mail.html).not.toContain('<script');
  expect(visibleText(mail.html)).toContain('"><script>alert(1)</script> Bcc:');
  expect(mail.subject).not.toContain('Bcc');
  expect(mail.text.length).toBeLessThan(5_000);
});
