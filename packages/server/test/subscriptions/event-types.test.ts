// Subscriptions with several event types and wildcards: what is stored and shown, each mistake, and what cannot change.

import { beforeAll, describe, expect, test } from 'vitest';
import { createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import {
  identityStylesheet,
  inBase64,
  mistakesIn,
  mistakesOf,
  pathOf,
  post,
  receiver,
  subscriptions,
} from './subscribe.ts';

const service = useTestService();
let voyage: Shown;
beforeAll(async () => {
  voyage = await createVoyage(service, await createFleet(service));
});

async function subscribeTo(eventTypes: readonly string[], more: object = {}): Promise<Shown> {
  const answer = await post(service, { eventTypes, url: receiver, ...more });
  expect(answer.status, answer.text).toBe(201);
  const { signingSecret, ...shown } = answer.body;
  return shown;
}

const none = { eventType: null, objectType: null, operation: null, objectKey: null };

describe('answers', () => {
  test('carry the list as it was written, with duplicates and patterns that others cover', async () => {
    const eventTypes = ['Voyage.U', '*.D', 'Voyage.*', 'Voyage.U', `Voyage.*.${voyage.key}`, '*.*'];
    const made = await subscribeTo(eventTypes);
    expect(made).toMatchObject({ eventTypes, ...none });
    expect((await service.get(pathOf(made))).body).toEqual(made);
  });

  test('carry the event type and its parts where there is exactly one, without a wildcard', async () => {
    const key = voyage.key;
    expect(await subscribeTo([`Voyage.U.${key}`])).toMatchObject({
      ...{ eventTypes: [`Voyage.U.${key}`], eventType: `Voyage.U.${key}` },
      ...{ objectType: 'Voyage', operation: 'U', objectKey: key },
    });
    expect((await post(service, { eventType: 'Voyage.C', url: receiver })).body.eventTypes).toEqual(['Voyage.C']);
    for (const one of ['Voyage.*', '*.U', '*.*', `Voyage.*.${key}`])
      expect(await subscribeTo([one])).toMatchObject({ eventTypes: [one], ...none });
    expect(await subscribeTo(['Voyage.U', 'Voyage.U'])).toMatchObject(none);
  });

  test('can be posted again: the parts agree with the list, or are null', async () => {
    for (const eventTypes of [[`Voyage.U.${voyage.key}`], ['Voyage.C', '*.D']]) {
      const { key, ...made } = await subscribeTo(eventTypes);
      const again = await post(service, { ...made, state: undefined, stateDate: undefined, self: undefined });
      expect([again.status, again.body.eventTypes], again.text).toEqual([201, eventTypes]);
    }
  });

  test('can be filtered by an element of the list', async () => {
    const made = await subscribeTo(['EventLog.C', 'EventLog.*']);
    const found = await service.get(`${subscriptions}?filter=eventTypes(EQ)EventLog.*&fields={"eventTypes":"*"}`);
    expect(found.body).toEqual([{ key: made.key, self: made.self, eventTypes: made.eventTypes }]);
  });
});

describe('a mistake is a 400 that says where', () => {
  const form = 'must be <Resource|*>.<C|U|D|*> or <Resource>.<C|U|D|*>.<key>, like BunkerOrder.U, not';
  test.each<[string, unknown, string]>([
    ['no array', 'Voyage.U', 'eventTypes: must be an array like ["Voyage.C", "BunkerOrder.*"], not text.'],
    ['an object', {}, 'eventTypes: must be an array like ["Voyage.C", "BunkerOrder.*"], not an object.'],
    ['an empty array', [], 'eventTypes: must have at least one event type, like ["BunkerOrder.U"].'],
    [
      'too many',
      Array(101).fill('Voyage.U'),
      'eventTypes: may have at most 100 event types; this has 101. A wildcard (*) stands for many.',
    ],
    ['no text', ['Voyage.U', 5], 'eventTypes[1]: must be text, not a number.'],
    ['null', [null], 'eventTypes[0]: must be text, not null.'],
    ['a letter alone', ['Voyage.U', 'U'], `eventTypes[1]: ${form} "U".`],
    ['only a wildcard', ['*'], `eventTypes[0]: ${form} "*".`],
    ['a part of a wildcard', ['Voy*.U'], `eventTypes[0]: ${form} "Voy*.U".`],
    [
      'an unknown operation',
      ['Voyage.**'],
      'eventTypes[0]: has the operation "**"; it must be one of C (create), U (update), D (delete), * (any of them).',
    ],
    [
      'an unknown type',
      ['*.D', 'Voyages.*'],
      'eventTypes[1]: names "Voyages", and there is no such object type. Did you mean "Voyage"?',
    ],
    ['a type without events', ['Remarks.*'], 'eventTypes[0]: names Remarks, whose changes are never notified.'],
    [
      'a type that subscribers cannot read',
      ['ApiUser.*'],
      'eventTypes[0]: names "ApiUser", and there is no such object type.',
    ],
    ['a key with C', ['Voyage.C.5'], 'eventTypes[0]: has a key with C: a new object has no key yet. Leave it out.'],
    [
      'a key with every type',
      ['*.U.1042'],
      'eventTypes[0]: has a key with the type *. Name the type of the object: Voyage.U.1042.',
    ],
    [
      'a wildcard as key',
      ['Voyage.U.*'],
      'eventTypes[0]: has "*" where a key was expected, which is a positive integer.',
    ],
    ['no such object', ['*.D', 'Voyage.*.99999999'], 'eventTypes[1]: there is no Voyage with key 99999999.'],
    ['no such object, alone', ['Voyage.U.99999999'], 'eventTypes[0]: there is no Voyage with key 99999999.'],
  ])('%s', async (_, eventTypes, mistake) => {
    expect(await mistakesIn(service, { eventTypes, url: receiver })).toEqual([mistake]);
  });

  test('all mistakes of a list at once', async () => {
    const mistakes = await mistakesIn(service, { eventTypes: ['Voyag.U', 'Voyage.C', 7, '*.U.3'], url: receiver });
    expect(mistakes.map((mistake) => mistake.split(':')[0])).toEqual([
      'eventTypes[0]',
      'eventTypes[2]',
      'eventTypes[3]',
    ]);
  });

  test('100 event types are accepted', async () => {
    expect((await subscribeTo(Array(100).fill('Voyage.U'))).eventTypes).toHaveLength(100);
  });

  test('a wildcard in eventType, which is for one plain event type', async () => {
    expect(await mistakesIn(service, { eventType: 'Voyage.*', url: receiver })).toEqual([
      'eventType: has a wildcard. Wildcards are for the list: "eventTypes": ["Voyage.*"].',
    ]);
  });

  test('other forms beside the list that do not agree with it', async () => {
    expect(await mistakesIn(service, { eventTypes: ['Voyage.U'], eventType: 'Voyage.D', url: receiver })).toEqual([
      'eventType: does not agree with eventTypes: D is not U.',
    ]);
    const several = { eventTypes: ['Voyage.U', 'Voyage.D'], eventType: 'Voyage.U', objectKey: 5, url: receiver };
    const leaveOut = 'goes with one event type without a wildcard. Leave it out: eventTypes says it all.';
    expect(await mistakesIn(service, several)).toEqual([`eventType: ${leaveOut}`, `objectKey: ${leaveOut}`]);
  });
});

describe('json, expression, dlpAlertScript and xsl need event types of one object type', () => {
  const needsOneType =
    'needs event types of one object type, and these are of several. Leave it out, or create a subscription for each ' +
    'type.';
  const json = inBase64('{"voyageStatus":"*"}');
  const expression = '.voyageStatus = NOM';
  const xsl = inBase64(identityStylesheet);

  test.each([[['Voyage.U', 'Cargo.U']], [['*.U']], [['Voyage.U', '*.D']]])('%j is not', async (eventTypes) => {
    await service.post('/ws/rest/AlertScript', { code: 'ANY', name: 'Any', body: 'return true;' });
    const shaped = { json, expression, xsl, dlpAlertScript: 'ANY' };
    const mistakes = await mistakesIn(service, { eventTypes, url: receiver, ...shaped });
    expect(mistakes).toEqual(['json', 'expression', 'dlpAlertScript', 'xsl'].map((name) => `${name}: ${needsOneType}`));
    const made = await subscribeTo(eventTypes, { json: null, rawObject: true });
    const [{ key }] = (await service.get('/ws/rest/AlertScript?filter=code(EQ)ANY')).body;
    const scripts = ['ANY', key, { key }].map((dlpAlertScript) => ({ dlpAlertScript }));
    for (const script of scripts)
      expect(await mistakesIn(service, { eventTypes, url: receiver, ...script })).toEqual([
        `dlpAlertScript: ${needsOneType}`,
      ]);
    for (const change of [{ json }, { expression }, ...scripts]) {
      const [name] = Object.keys(change);
      expect(mistakesOf(await service.put(pathOf(made), change))).toEqual([`${name}: ${needsOneType}`]);
    }
    expect((await service.put(pathOf(made), { json: null, webhookUsername: 'changed' })).status).toBe(200);
  });

  test('several event types of one type are, and are checked against it', async () => {
    const eventTypes = ['Voyage.C', 'Voyage.*', `Voyage.U.${voyage.key}`];
    const made = await subscribeTo(eventTypes, { json, expression, xsl });
    expect(mistakesOf(await service.put(pathOf(made), { expression: '.extraCost > 1 &&' }))).not.toEqual([]);
    expect(mistakesOf(await service.put(pathOf(made), { json: inBase64('{"extraCost":"*"}') }))[0]).toContain('Voyage');
  });
});

describe('the event types cannot be changed', () => {
  test('sent back as they are, in any form, they are ignored', async () => {
    const several = await subscribeTo(['Voyage.U', '*.D', 'Voyage.U']);
    expect((await service.put(pathOf(several), several)).body).toEqual(several);
    const one = await subscribeTo(['Voyage.U']);
    for (const body of [one, { eventTypes: ['Voyage.U'] }, { eventType: 'U', objectType: 'Voyage', objectKey: null }])
      expect((await service.put(pathOf(one), body)).body).toEqual(one);
  });

  test('any other list is a 400, also the same in another order', async () => {
    const made = await subscribeTo(['Voyage.U', '*.D']);
    const cannot = 'is set when the object is created and cannot be changed.';
    for (const eventTypes of [
      ['*.D', 'Voyage.U'],
      ['Voyage.U'],
      [],
      ['Voyage.U', '*.D', '*.D'],
      ['Voyage.U,*.D'],
      null,
      5,
    ])
      expect(mistakesOf(await service.put(pathOf(made), { eventTypes }))).toEqual([`eventTypes: ${cannot}`]);
    expect(mistakesOf(await service.put(pathOf(made), { eventType: 'Voyage.U' }))).toEqual([`eventType: ${cannot}`]);
  });

  test('a subscription that `replaces` another may have others', async () => {
    let old = await subscribeTo(['Voyage.U', '*.D']);
    for (const eventTypes of [['*.D', 'Voyage.U', '*.D'], ['Voyage.U'], ['Port.*', 'Voyage.C'], ['*.*']]) {
      const made = await subscribeTo(eventTypes, { replaces: old.key });
      expect((await service.get(pathOf(old))).body).toMatchObject({ state: 'UNSUBSCRIBED' });
      expect(made.eventTypes).toEqual(eventTypes);
      old = made;
    }
  });
});
