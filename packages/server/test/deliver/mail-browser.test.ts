// Our mails in a real browser, where there is one: a mail program shows them much alike.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composeAlertMail } from '../../src/deliver/mail/compose-alert-mail.ts';
import { composeNotificationMail } from '../../src/deliver/mail/compose-notification-mail.ts';

const chromiumFile = '/usr/bin/chromium';
const hasChromium = existsSync(chromiumFile);
const because = hasChromium ? '' : ` (skipped: there is no ${chromiumFile})`;

const long = `${'x'.repeat(300)}<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">`;

const mails = {
  notification: composeNotificationMail({
    id: '1-2',
    receiver: { key: 5, name: long, url: 'ops@agent.example', eventTypes: ['BunkerOrder.U'] },
    eventType: 'U',
    objectType: 'BunkerOrder',
    objectKey: 793628,
    subscribedObjectKey: 793628,
    occurredAt: '2026-09-14T08:15:22.123456Z',
    contentType: 'application/json',
    subject: null,
    body: JSON.stringify({ key: 793628, externalReferenceNo: long }),
    restUrl: 'https://fleet.example/ws/rest',
  }),
  alert: composeAlertMail({
    subscription: {
      key: 5,
      name: long,
      eventTypes: ['BunkerOrder.U'],
      channelInfo: { channelType: 'HTTP', URL: `https://agent.example/${'x'.repeat(300)}` },
    },
    user: { name: long, email: 'kari@agent.example' },
    failingSince: new Date('2026-09-14T08:15:22Z'),
    lastAttemptAt: new Date('2026-09-14T08:19:24Z'),
    firstAttemptAt: new Date('2026-09-14T08:15:22Z'),
    schedule: { attemptsMax: 5, intervalMs: 60_000, isExponential: false, intervalMaxMs: 60_000 },
    hasOwnPolicy: false,
    attempts: 5,
    lastError: 'The receiver answered 503.',
    lastAnswer: long,
    waiting: 38,
    collectsUntil: null,
    baseUrl: 'https://fleet.example',
  }),
};

describe.skipIf(!hasChromium)(`mails in chromium${because}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser?.close());

  test.each(Object.entries(mails))('the %s fits on a phone, asks for nothing and runs nothing', async (_, mail) => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(mail.html);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test.each(Object.entries(mails))('the %s is dark where the reader wants it dark', async (_, mail) => {
    const coloursIn = async (colorScheme: 'light' | 'dark') => {
      const page = await browser.newPage({ colorScheme });
      await page.setContent(mail.html);
      return page.evaluate(
        '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("h1")).color]',
      );
    };
    expect(await coloursIn('light')).toEqual(['rgb(238, 242, 247)', 'rgb(22, 35, 59)']);
    expect(await coloursIn('dark')).toEqual(['rgb(11, 17, 28)', 'rgb(227, 234, 245)']);
  });
});
