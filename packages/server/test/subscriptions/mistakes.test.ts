// Every mistake in a subscription is a 400 that says where and what, all of them at once. Those in the
// event type and the receiver: `mistakes-of-target.test.ts`.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import type { Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { inBase64, least, mistakesIn, mistakesOf, pathOf, post, subscribe } from './subscribe.ts';

const service = useTestService({ FLAGHOIST_SELECTION_BYTES_MAX: '1000', FLAGHOIST_EXPRESSION_BYTES_MAX: '500' });
let subscription: Shown;
beforeAll(async () => {
  subscription = await subscribe(service);
});

describe('of json', () => {
  test.each<[string, string, RegExp]>([
    ['another alphabet', 'e30-', /^json: is not Base64: "-" at position 4 is not in its alphabet\.$/],
    ['bits that stand for nothing', 'e31=', /^json: is not Base64: /],
    ['no UTF-8', inBase64(Buffer.from([0xff, 0xfe])), /^json: is Base64, but its content is not UTF-8 text\.$/],
    ['nothing', '', /^json: .*empty/],
    ['no JSON', inBase64('{"bunkeredDate":'), /^json: The field selection is not JSON\. Line 1, column 17: /],
    ['no object', inBase64('[]'), /^json: The field selection must be a JSON object of BunkerOrder attributes/],
    [
      'an unknown attribute',
      inBase64('{"bunkeredDay":"*"}'),
      /^json: .*"bunkeredDay" is not an attribute of BunkerOrder\. Did you mean "bunkeredDate"\?/,
    ],
    ['another type', inBase64('{"voyageStatus":"*"}'), /^json: .*"voyageStatus" is not an attribute of BunkerOrder/],
    [
      'too much',
      inBase64(JSON.stringify({ bunkeredDate: '*'.repeat(1000) })),
      /^json: may have at most 1000 bytes, decoded; this has 1019\.$/,
    ],
  ])('%s', async (_, json, mistake) => {
    const mistakes = await mistakesIn(service, { ...least, json });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(mistake);
  });
});

describe('of expression', () => {
  test.each<[string, string, RegExp]>([
    ['its syntax, with line and column', 'svcObject.getExtraCost() >\n  && true', /^expression: Line 2, column 3: /],
    [
      'an unknown getter, with the nearest',
      'svcObject.getExtraCosts() > 1',
      /^expression: Line 1, column \d+: .*getExtraCost\b/,
    ],
    [
      'a getter of a type in the hierarchy',
      'svcObject.getEta() != null',
      /BunkerOrder has no getter getEta\(\); PortCall has it: use changedObject\.getEta\(\)\.$/,
    ],
    [
      'an unknown getter of the changed object, with the nearest',
      'changedObject.getEtaa() != null',
      /No type in the hierarchy of BunkerOrder has a getter getEtaa\(\)\. Did you mean "getEta"\?$/,
    ],
    ['a word that resembles an attribute', 'extraCosts > old.extraCost', /Did you mean "extraCost"\?$/],
    ['a result that is not a boolean', 'svcObject.getExtraCost()', /^expression: Line 1, column 1: .*boolean/i],
    ['nothing', '', /^expression: Line 1, column 1: /],
    [
      'too much',
      `svcObject.getExtraCost() > ${'1'.repeat(500)}`,
      /^expression: may have at most 500 bytes; this has 527\.$/,
    ],
  ])('%s', async (_, expression, mistake) => {
    const mistakes = await mistakesIn(service, { ...least, expression });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(mistake);
  });

  test('all of several mistakes', async () => {
    const mistakes = await mistakesIn(service, {
      ...least,
      expression: 'svcObject.getA() == 1 && svcObject.getB() == 2',
    });
    expect(mistakes.length).toBeGreaterThan(1);
  });
});

describe('of script, stylesheet, credentials and state', () => {
  const noScript = 'and there is no script to take any: set dlpAlertScript.';
  test.each<[string, object, string]>([
    [
      'a script that is not there',
      { dlpAlertScript: 'ALERT-1' },
      'dlpAlertScript: there is no AlertScript with code or key "ALERT-1".',
    ],
    [
      'values without a script',
      { scriptParameterValues: { limit: 5 } },
      `scriptParameterValues: has values, ${noScript}`,
    ],
    [
      'values that are no object',
      { scriptParameterValues: [1] },
      `scriptParameterValues: must be an object, ${noScript}`,
    ],
    [
      'a message without a script',
      { useMsg: true },
      'useMsg: is true, and there is no script to make a message: set dlpAlertScript.',
    ],
    [
      'a stylesheet that is not Base64',
      { xsl: '<xsl/>' },
      'xsl: The stylesheet is not Base64: "<" at position 1 is not in its alphabet.',
    ],
    ['a stylesheet', { xsl: inBase64('<xsl/>') }, 'xsl: Line 1: xsl: document is not a stylesheet.'],
    [
      'a colon in the user name',
      { webhookUsername: 'a:b' },
      'webhookUsername: cannot have a colon: HTTP Basic ends the name there.',
    ],
    ['a line break in the user name', { webhookUsername: 'a\nb' }, 'webhookUsername: cannot have control characters.'],
    [
      'too long a user name',
      { webhookUsername: 'a'.repeat(256) },
      'webhookUsername: may have at most 255 characters; this has 256.',
    ],
    ['a line break in the password', { webhookPassword: 'a\r\nb' }, 'webhookPassword: cannot have control characters.'],
    ['too long a password', { webhookPassword: 'ß'.repeat(256) }, 'webhookPassword: may have at most 255 characters.'],
    ['a password that is no text', { webhookPassword: 5 }, 'webhookPassword: must be text, not a number.'],
    [
      'one that is unsubscribed from the start',
      { unsubscribed: true },
      'unsubscribed: cannot be true: a new subscription is active.',
    ],
    ['a boolean that is null', { rawObject: null }, 'rawObject: is required and cannot be null.'],
    [
      'an unknown attribute',
      { webhookPasword: 'x' },
      'webhookPasword: is not an attribute of WebhookSubscription. Did you mean "webhookPassword"?',
    ],
    ['a user that is not there', { user: 99999999 }, 'user: there is no ApiUser with key 99999999.'],
  ])('%s', async (_, said, mistake) => {
    expect(await mistakesIn(service, { ...least, ...said })).toEqual([mistake]);
  });

  test('accepted: no script, and no values', async () => {
    for (const scriptParameterValues of [null, {}])
      expect((await post(service, { ...least, scriptParameterValues, dlpAlertScript: null })).status).toBe(201);
    const longest = { webhookUsername: 'a'.repeat(255), webhookPassword: '😀'.repeat(255) };
    expect((await post(service, { ...least, ...longest })).status).toBe(201);
  });
});

test('all mistakes are reported at once, also those that only the database reveals', async () => {
  const mistakes = await mistakesIn(service, {
    eventType: 'Voyage.U.99999999',
    url: 'nowhere',
    json: '%',
    expression: '1',
    useMsg: true,
    user: 99999999,
    colour: 'red',
  });
  expect(mistakes.map((mistake) => mistake.split(':')[0]).sort()).toEqual(
    ['colour', 'eventType', 'expression', 'json', 'url', 'useMsg', 'user'].sort(),
  );
});

test('in an array each mistake has the path of its subscription, and nothing is created', async () => {
  const answer = await post(service, [
    least,
    { ...least, eventType: 'Voyages.U', channelInfo: { channelType: 'FAX' } },
    { ...least, eventType: 'Voyage.U.99999999', json: '%' },
    7,
  ]);
  expect(mistakesOf(answer).map((mistake) => mistake.split(': ')[0])).toEqual([
    '[1].eventType',
    '[1].channelInfo.channelType',
    '[2].json',
    '[3]',
    '[2].eventType',
  ]);
});

test('a change is checked in the same way, against the subscribed type', async () => {
  const put = (body: object) => service.put(pathOf(subscription), body);
  for (const [body, place] of [
    [{ url: 'nowhere' }, 'url'],
    [{ url: null }, 'url'],
    [{ url: 5 }, 'url'],
    [{ channelInfo: null }, 'channelInfo'],
    [{ channelInfo: { channelType: 'EMAIL' } }, 'url'],
    [{ channelInfo: { URL: 'nowhere' } }, 'channelInfo.URL'],
    [{ channelInfo: { port: 80 } }, 'channelInfo.port'],
    [{ url: 'https://a.example/', channelInfo: { URL: 'https://b.example/' } }, 'channelInfo.URL'],
    [{ json: '%' }, 'json'],
    [{ json: inBase64('{"voyageStatus":"*"}') }, 'json'],
    [{ expression: 'svcObject.getVoyageStatus() == null' }, 'expression'],
    [{ dlpAlertScript: 'A' }, 'dlpAlertScript'],
    [{ scriptParameterValues: { a: 1 } }, 'scriptParameterValues'],
    [{ useMsg: true }, 'useMsg'],
    [{ webhookUsername: 'a:b' }, 'webhookUsername'],
    [{ webhookPassword: '\0' }, undefined],
    [{ webhookPassword: 'a\nb' }, 'webhookPassword'],
    [{ unsubscribed: 'yes' }, 'unsubscribed'],
  ] as const) {
    const answer = await put(body);
    expectErrorBody(answer, 400);
    if (place) expect(mistakesOf(answer).map((mistake) => mistake.split(': ')[0])).toEqual([place]);
  }
  expect((await service.get(pathOf(subscription))).body).toEqual(subscription);
});
