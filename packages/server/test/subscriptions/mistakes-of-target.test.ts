// Every mistake in what a subscription hears of, and in where it is sent, is a 400 that says where and what.

import { beforeAll, describe, expect, test } from 'vitest';
import { channelCodes } from '../../src/channel-types.ts';
import { createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { mistakesIn, receiver } from './subscribe.ts';

const service = useTestService();
let voyage: Shown;
beforeAll(async () => {
  voyage = await createVoyage(service, await createFleet(service));
});

describe('of the event type', () => {
  test.each<[string, object, string]>([
    [
      'is missing',
      {},
      'eventType: is required: what the subscription matches, like BunkerOrder.U; or eventTypes, for several.',
    ],
    [
      'is null',
      { eventType: null },
      'eventType: is required: what the subscription matches, like BunkerOrder.U; or eventTypes, for several.',
    ],
    ['is no text', { eventType: 5 }, 'eventType: must be text, not a number.'],
    [
      'has no operation',
      { eventType: 'Voyage' },
      'eventType: must be <Resource>.<C|U|D> or <Resource>.<C|U|D>.<key>, like BunkerOrder.U, not "Voyage".',
    ],
    [
      'is empty',
      { eventType: '' },
      'eventType: must be <Resource>.<C|U|D> or <Resource>.<C|U|D>.<key>, like BunkerOrder.U, not "".',
    ],
    [
      'has too many parts',
      { eventType: 'Voyage.U.1.2' },
      'eventType: must be <Resource>.<C|U|D> or <Resource>.<C|U|D>.<key>, like BunkerOrder.U, not "Voyage.U.1.2".',
    ],
    [
      'names an unknown type',
      { eventType: 'Voyages.U' },
      'eventType: names "Voyages", and there is no such object type. Did you mean "Voyage"?',
    ],
    [
      'names an unknown operation',
      { eventType: 'Voyage.X' },
      'eventType: has the operation "X"; it must be one of C (create), U (update), D (delete).',
    ],
    [
      'has an operation in lower case',
      { eventType: 'Voyage.u' },
      'eventType: has the operation "u"; it must be one of C (create), U (update), D (delete).',
    ],
    [
      'has a key that is none',
      { eventType: 'Voyage.U.abc' },
      'eventType: has "abc" where a key was expected, which is a positive integer.',
    ],
    [
      'has a key of nothing',
      { eventType: 'Voyage.U.' },
      'eventType: has "" where a key was expected, which is a positive integer.',
    ],
    [
      'has a key with C',
      { eventType: 'Voyage.C.5' },
      'eventType: has a key with C: a new object has no key yet. Leave it out.',
    ],
    [
      'has a key with C in parts',
      { eventType: 'C', objectType: 'Voyage', objectKey: 5 },
      'objectKey: has a key with C: a new object has no key yet. Leave it out.',
    ],
    ['names no object', { eventType: 'Voyage.U.99999999' }, 'eventType: there is no Voyage with key 99999999.'],
    [
      'names no object in parts',
      { eventType: 'U', objectType: 'Voyage', objectKey: 99999999 },
      'objectKey: there is no Voyage with key 99999999.',
    ],
    [
      'names a type without events',
      { eventType: 'Remarks.U' },
      'eventType: names Remarks, whose changes are never notified.',
    ],
    [
      'names a sub-object of such a type',
      { eventType: 'Attachment.U' },
      'eventType: names Attachment, whose changes are never notified.',
    ],
    [
      "names the service's own type",
      { eventType: 'WebhookSubscription.U' },
      'eventType: names WebhookSubscription, whose changes are never notified.',
    ],
    [
      'names a type that subscribers cannot read',
      { eventType: 'ApiUser.U' },
      'eventType: names "ApiUser", and there is no such object type.',
    ],
    [
      'is a letter alone',
      { eventType: 'U' },
      'objectType: is required where the operation stands alone; or write eventType like BunkerOrder.U.',
    ],
    [
      'lacks the letter',
      { objectType: 'Voyage' },
      'eventType: is required: one of C (create), U (update), D (delete).',
    ],
    [
      'has types that disagree',
      { eventType: 'Voyage.U', objectType: 'Cargo' },
      'objectType: does not agree with eventType: Cargo is not Voyage.',
    ],
    [
      'has operations that disagree',
      { eventType: 'Voyage.U', operation: 'D' },
      'operation: does not agree with eventType: D is not U.',
    ],
    [
      'has letters that disagree',
      { eventType: 'U', objectType: 'Voyage', operation: 'D' },
      'operation: does not agree with eventType: D is not U.',
    ],
    [
      'has keys that disagree',
      { eventType: 'Voyage.U.5', objectKey: 6 },
      'objectKey: does not agree with eventType: 6 is not 5.',
    ],
    ['has an objectType that is no text', { eventType: 'U', objectType: 7 }, 'objectType: must be text, not a number.'],
    [
      'has an operation that is none',
      { objectType: 'Voyage', operation: 'X' },
      'operation: must be one of C (create), U (update), D (delete).',
    ],
    [
      'has an objectKey that is none',
      { eventType: 'U', objectType: 'Voyage', objectKey: '5' },
      'objectKey: must be a whole number, not text.',
    ],
  ])('%s', async (_, said, mistake) => {
    expect(await mistakesIn(service, { url: receiver, ...said })).toEqual([mistake]);
  });

  test('a key of another type is rejected', async () => {
    expect(await mistakesIn(service, { url: receiver, eventType: `Cargo.U.${voyage.key}` })).toEqual([
      `eventType: there is no Cargo with key ${voyage.key}.`,
    ]);
  });
});

describe('of the channel', () => {
  const notUrl = 'must be an http or https URL, like https://agent.example/webhooks.';
  const noUser = 'cannot carry a user or password: send webhookUsername and webhookPassword.';
  const noAddress =
    'must be one e-mail address, like ops@example.com, of at most 254 characters; its domain cannot be an IP address.';
  const stranger = (name: string, position: number) =>
    `cannot have ${name} at position ${position}: no URL has spaces, control characters or backslashes.`;
  const emptyLabel = 'must have a host name without empty parts, as between two dots.';
  const email = (URL: string) => ({ channelInfo: { channelType: 'EMAIL', URL } });
  test.each<[string, object, string]>([
    ['nothing', {}, 'url: is required: where notifications go. It can also be sent as URL in channelInfo.'],
    [
      'a channel type alone',
      { channelInfo: { channelType: 'HTTP' } },
      'url: is required: where notifications go. It can also be sent as URL in channelInfo.',
    ],
    ['a url that is no text', { url: 7 }, 'url: must be text, not a number.'],
    ['a url that is an array', { url: [receiver] }, 'url: must be text, not an array.'],
    ['no URL', { url: 'receiver' }, `url: ${notUrl}`],
    ['another scheme', { url: 'ftp://receiver.example/' }, `url: ${notUrl}`],
    ['a scheme without slashes', { url: 'https:receiver.example' }, `url: ${notUrl}`],
    ['a script', { url: 'javascript:alert(1)' }, `url: ${notUrl}`],
    ['no host', { url: 'https:///hooks' }, `url: ${notUrl}`],
    ['a bad port', { url: 'https://receiver.example:99999/' }, `url: ${notUrl}`],
    ['a user', { url: 'https://user@receiver.example/' }, `url: ${noUser}`],
    ['a user and password', { url: 'https://user:word@receiver.example/' }, `url: ${noUser}`],
    ['an empty user', { url: 'https://@receiver.example/' }, `url: ${noUser}`],
    ['a space', { url: 'https://receiver.example/a b' }, `url: ${stranger('a space', 27)}`],
    ['a space before', { url: ' https://receiver.example/' }, `url: ${stranger('a space', 1)}`],
    ['a tab', { url: 'https://receiver\t.example/' }, `url: ${stranger('U+0009', 17)}`],
    ['a line break at its end', { url: 'https://receiver.example/\r\n' }, `url: ${stranger('U+000D', 26)}`],
    ['a fragment', { url: 'https://receiver.example/#top' }, 'url: cannot have a fragment (#…): it would not be sent.'],
    ['an empty fragment', { url: `${receiver}#` }, 'url: cannot have a fragment (#…): it would not be sent.'],
    ['port 0', { url: 'https://receiver.example:0/' }, 'url: cannot have port 0.'],
    ['two dots in the host', { url: 'https://receiver..example/' }, `url: ${emptyLabel}`],
    ['a dot before the host', { url: 'https://.receiver.example/' }, `url: ${emptyLabel}`],
    ['a host of dots', { url: 'https://./' }, `url: ${emptyLabel}`],
    ['a backslash', { url: 'https:\\\\receiver.example' }, `url: ${stranger('U+005C', 7)}`],
    [
      'too long a url',
      { url: `https://receiver.example/${'a'.repeat(2048)}` },
      'url: may have at most 2048 characters; this has 2073.',
    ],
    [
      'a channelInfo that is text',
      { channelInfo: receiver },
      'channelInfo: must be an object with channelType and URL, not text.',
    ],
    [
      'an unknown channel',
      { channelInfo: { channelType: 'FAX', URL: receiver } },
      `channelInfo.channelType: must be one of ${channelCodes.join(', ')}, not "FAX".`,
    ],
    [
      'a channel that is no text',
      { channelInfo: { channelType: 1, URL: receiver } },
      `channelInfo.channelType: must be one of ${channelCodes.join(', ')}, not a number.`,
    ],
    [
      'an unknown member',
      { channelInfo: { URL: receiver, url: receiver } },
      'channelInfo.url: is not part of channelInfo. Did you mean "URL"?',
    ],
    ['a member without a name', { channelInfo: { '': 1 } }, 'channelInfo."": is not part of channelInfo.'],
    ['a URL that is no text', { channelInfo: { URL: null } }, 'channelInfo.URL: must be text, not null.'],
    ['a bad URL in channelInfo', { channelInfo: { URL: 'receiver' } }, `channelInfo.URL: ${notUrl}`],
    [
      'two that disagree',
      { url: receiver, channelInfo: { URL: 'https://other.example/' } },
      'channelInfo.URL: does not agree with url: leave one of them out, or send the same.',
    ],
    ['a URL by e-mail', email(receiver), `channelInfo.URL: ${noAddress}`],
    ['two addresses', email('a@agent.example,b@agent.example'), `channelInfo.URL: ${noAddress}`],
    ['a name with the address', email('Agent <a@agent.example>'), `channelInfo.URL: ${noAddress}`],
    ['a mail address at an IP address', email('x@127.0.0.1'), `channelInfo.URL: ${noAddress}`],
    ['a mail address at an IP address in brackets', email('x@[127.0.0.1]'), `channelInfo.URL: ${noAddress}`],
    ['an address over HTTP', { url: 'ops@agent.example' }, `url: ${notUrl}`],
  ])('%s', async (_, said, mistake) => {
    expect(await mistakesIn(service, { eventType: 'Voyage.U', ...said })).toEqual([mistake]);
  });
});
