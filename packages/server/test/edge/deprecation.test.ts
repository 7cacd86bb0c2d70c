// What a model file deprecates: answers that involve it say so in headers, and the description and the docs page in words.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, useTestService } from '../support/test-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-model-'));
const modelFile = join(folder, 'model.json');
writeFileSync(
  modelFile,
  JSON.stringify({
    types: {
      Berth: {
        description: 'A berth.',
        deprecated: { since: '2026-01-01', sunset: '2027-06-30', instead: 'Port' },
        attributes: { berthName: { kind: 'text' } },
      },
      Crane: {
        shownBy: ['craneName'],
        attributes: {
          craneName: { kind: 'text' },
          reach: { kind: 'decimal', isOnDemand: true, deprecated: { since: '2026-03-01', instead: '`reachMetres`' } },
        },
      },
      Vessel: {
        attributes: {
          crane: { kind: 'reference', to: 'Crane' },
          rig: { kind: 'text', isOnDemand: true, deprecated: { since: '2026-02-01', sunset: '2027-02-01' } },
        },
      },
    },
  }),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const service = useTestService({ FLAGHOIST_MODEL_FILE: modelFile });
let crane: number;
let vessel: string;
beforeAll(async () => {
  crane = (await service.post('/ws/rest/Crane', { craneName: 'North' })).body.key;
  vessel = `/ws/rest/Vessel/${(await service.post('/ws/rest/Vessel', { vesselName: 'One', crane })).body.key}`;
});

const seconds = (day: string) => `@${Date.parse(`${day}T00:00:00Z`) / 1000}`;

function told({ headers }: Answer) {
  return { deprecation: headers.get('deprecation'), sunset: headers.get('sunset'), link: headers.get('link') };
}

const nothing = { deprecation: null, sunset: null, link: null };

function linkTo(type: string): string {
  return `<${service.url()}/docs#type-${type}>; rel="deprecation"; type="text/html"`;
}

const rig = () => ({
  deprecation: seconds('2026-02-01'),
  sunset: 'Mon, 01 Feb 2027 00:00:00 GMT',
  link: linkTo('Vessel'),
});

describe('an answer says that something is deprecated', () => {
  test('of every request to a deprecated type, errors included', async () => {
    const expected = {
      deprecation: seconds('2026-01-01'),
      sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
      link: linkTo('Berth'),
    };
    const created = await service.post('/ws/rest/Berth', { berthName: 'A' });
    const path = `/ws/rest/Berth/${created.body.key}`;
    const read = await service.get(path);
    const unchanged = await service.get(path, { 'if-none-match': read.headers.get('etag')! });
    expect(unchanged.status).toBe(304);
    for (const answer of [
      created,
      read,
      unchanged,
      await service.get('/ws/rest/Berth'),
      await service.post('/ws/rest/Berth/batch', [{}]),
      await service.post('/ws/rest/Berth', { noSuch: 1 }),
      await service.put(path, { berthName: 'B' }),
      await service.delete(path),
      await service.get(path),
    ])
      expect(told(answer), `${answer.status} ${answer.text}`).toEqual(expected);
  });

  test('if it shows a deprecated attribute', async () => {
    expect(told(await service.get(`${vessel}?fields={"rig":"*"}`))).toEqual(rig());
    expect(told(await service.get('/ws/rest/Vessel', { fields: '{"rig":"*"}' }))).toEqual(rig());
    const far = await service.get(`${vessel}?fields={"crane":{"reach":"*"}}`);
    expect(told(far)).toEqual({ deprecation: seconds('2026-03-01'), sunset: null, link: linkTo('Crane') });
  });

  test('if a filter or sort uses one, with the earliest dates and beside the links to pages', async () => {
    expect(told(await service.get('/ws/rest/Vessel?filter=rig(NULL)'))).toEqual(rig());
    expect(told(await service.get('/ws/rest/Vessel?sort=rig(AS)'))).toEqual(rig());
    const both = told(await service.get('/ws/rest/Vessel?filter=crane.reach(NULL)&sort=rig(AS)&limit=1'));
    expect([both.deprecation, both.sunset]).toEqual([rig().deprecation, rig().sunset]);
    expect(both.link).toContain('rel="first"');
    expect(both.link).toContain(linkTo('Vessel'));
    expect(both.link).toContain(linkTo('Crane'));
  });

  test('if a body uses one, accepted or not', async () => {
    expect(told(await service.put(vessel, { rig: 'sloop' }))).toEqual(rig());
    expect(told(await service.post('/ws/rest/Vessel', { vesselName: 'Two', rig: null }))).toEqual(rig());
    const refused = await service.post('/ws/rest/Vessel', { rig: 5 });
    expect([refused.status, told(refused)]).toEqual([400, rig()]);
  });
});

test('an answer that involves nothing deprecated says nothing', async () => {
  for (const answer of [
    await service.get(vessel),
    await service.get('/ws/rest/Vessel?filter=crane.craneName(EQ)North'),
    await service.put(vessel, { flag: 'NL' }),
    await service.get('/ws/rest/Crane'),
    await service.get('/ws/rest/Voyage'),
    await service.get('/health/ready'),
  ])
    expect(told(answer)).toEqual(nothing);
});

test('the description marks it, and says since when, until when, and what to use', async () => {
  const { body } = await service.get('/openapi.json');
  const { Berth, Crane, Vessel, VesselCreate, VesselChange } = body.components.schemas;
  expect(Berth.deprecated).toBe(true);
  expect(Berth.description).toContain(
    'Deprecated since 2026-01-01, and may be removed from 2027-06-30 on. Instead: Port.',
  );
  expect(Crane.deprecated).toBeUndefined();
  expect(Crane.properties.reach).toMatchObject({ deprecated: true });
  expect(Crane.properties.reach.description).toMatch(/Deprecated since 2026-03-01\. Instead: `reachMetres`\.$/);
  for (const { properties } of [Vessel, VesselCreate, VesselChange]) {
    expect(properties.rig.deprecated).toBe(true);
    expect(properties.flag.deprecated).toBeUndefined();
  }
  const { get } = body.paths['/ws/rest/Berth'];
  expect([get.deprecated, body.paths['/ws/rest/Vessel'].get.deprecated]).toEqual([true, undefined]);
  expect(Object.keys(get.responses[200].headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
  const { text } = await service.get('/docs');
  expect(text).toContain('Berth</a> <span class="mark badge">deprecated</span>');
  expect(text).toContain('<code>rig</code> <span class="mark badge">deprecated</span>');
  expect(text).toContain('Deprecated since 2026-02-01, and may be removed from 2027-02-01 on.');
});
