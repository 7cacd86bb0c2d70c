// What the built-in types lack: JSON and lists in rows that make events, attributes added later, and views of callers
// who see different parts of a type.

import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../src/events/change-event.ts';
import { buildModel, type Declarations } from '../../src/model/build-model.ts';
import type { ObjectType } from '../../src/model/object-type.ts';
import { parseFieldSelectionText } from '../../src/query/field-selection.ts';
import { compileRead } from '../../src/query/read-statement.ts';
import { type View, wholeView } from '../../src/query/view.ts';
import { renderResource } from '../../src/render/render-resource.ts';
import { loadStates } from '../../src/snapshots/load-states.ts';
import { type Shown, useObjects } from '../objects/objects-fixture.ts';
import { asTexts } from '../support/as-texts.ts';
import { asLast, bothSides, changesDuring, charsMax, countRuns, seeChange } from './payload-fixture.ts';

const declarations: Declarations = {
  Crate: { attributes: { crateNo: { kind: 'text' }, details: { kind: 'json' } } },
  Parcel: {
    attributes: {
      label: { kind: 'text', isRequired: true },
      details: { kind: 'json', since: '5.23' },
      photo: { kind: 'binary', isOnDemand: true },
      secret: { kind: 'text', isHidden: true },
      tags: { kind: 'textList', since: '6.10' },
      weight: { kind: 'decimal' },
      place: { kind: 'integer', isSequence: true },
      crate: { kind: 'owner', to: 'Crate', collection: 'parcels' },
      beside: { kind: 'reference', to: 'Parcel' },
    },
  },
};

const { database, create, type } = useObjects(declarations);
const model = buildModel(declarations);
const links = { restUrl: 'https://example.org/ws/rest' };
const all = '{"label":"*","details":"*","tags":"*","weight":"*"}';
const parcels = (inside: string) => `{"details":"*","parcels":${inside}}`;
let crate: Shown;
let parcel: Shown;
beforeAll(async () => {
  crate = await create('Crate', { crateNo: '1', details: { '10': 1, a: [1.5, null] } });
  parcel = await create('Parcel', {
    label: 'one',
    crate: crate.key,
    tags: ['b', 'a "q"'],
    details: { z: {}, '9': '}"' },
  });
  await create('Parcel', {
    label: 'two',
    crate: crate.key,
    beside: parcel.key,
    photo: 'AAEC',
    tags: ['t'],
    details: [2],
  });
});

async function read(view: View, key: number): Promise<string> {
  const { rows } = await database.pool.query({ text: compileRead(view, links), values: [key], types: asTexts });
  return rows[0].object;
}

async function updateParcel(set: string): Promise<ChangeEvent> {
  const sql = `update flaghoist.parcel set ${set} where key = ${parcel.key}`;
  const events = await changesDuring(database, () => database.pool.query(sql), model);
  return events[0]!;
}

async function expectBoth(view: View, key: number, set: string): Promise<void> {
  const before = await read(view, key);
  const event = await updateParcel(set);
  const seen = await seeChange(database, event, { view, key, of: model, ...links });
  expect(seen).toEqual({ before, after: await read(view, key) });
}

describe('a changed row', () => {
  for (const json of [
    '{"b": 1.50, "10": 1e30, "a": {"x": [true]}}',
    '[ "a" , "b" ]',
    '1.50',
    '"text"',
    'null',
    '99999999999999999999',
  ])
    test(`shows JSON as it is stored: ${json}`, async () => {
      await expectBoth(parseFieldSelectionText(all, type('Parcel')), parcel.key, `details = '${json}'`);
      await expectBoth(parseFieldSelectionText(parcels(all), type('Crate')), crate.key, `details = '{"was": ${json}}'`);
    });

  test('shows lists', async () => {
    await expectBoth(wholeView(type('Parcel')), parcel.key, `tags = array['x', 'y"z', 'ü']`);
    await expectBoth(wholeView(type('Parcel')), parcel.key, `tags = '{}'`);
  });

  test('shows NaN and infinite dates as PostgreSQL writes them', async () => {
    await expectBoth(wholeView(type('Parcel')), parcel.key, `weight = 'NaN'`);
    await expectBoth(wholeView(type('Parcel')), parcel.key, `weight = 1.5, created_date = '-infinity'`);
  });

  test('takes an attribute that was added after its event from the live row', async () => {
    const event = await updateParcel(`tags = array['kept'], label = 'early'`);
    const { tags, ...newRow } = event.newRow!;
    expect(tags).toEqual(['kept']);
    await updateParcel(`label = 'late'`);
    const view = wholeView(type('Parcel'));
    const seen = { view, key: parcel.key, of: model };
    const { after } = await seeChange(database, { ...asLast(event), newRow }, seen);
    expect(JSON.parse(after)).toMatchObject({ label: 'early', tags: ['kept'] });
  });

  test('that was deleted shows its JSON and that of its sub-objects', async () => {
    const { key } = await create('Crate', {
      crateNo: '2',
      parcels: [{ label: 'x', details: { a: 1 }, photo: 'AAEC' }],
    });
    const view = parseFieldSelectionText(parcels('{"label":"*","details":"*","tags":"*"}'), type('Crate'));
    const before = await read(view, key);
    const sql = `delete from flaghoist.crate where key = ${key}`;
    const events = await changesDuring(
      database,
      () => database.pool.query(`delete from flaghoist.parcel where crate = ${key}; ${sql}`),
      model,
    );
    const event = events.find((candidate) => candidate.key === key)!;
    expect(await seeChange(database, event, { view, key, of: model, ...links })).toEqual({ before, after: 'null' });
  });
});

/** Copies the members of an event, some of which are getters. */
test('views of callers who see different parts of a type are each rendered as a GET returns them', async () => {
  const event = await updateParcel(`label = 'shared'`);
  const types: ObjectType[] = ['3.3', '5.23', '6.10'].map((version) => type('Crate', version));
  for (const order of [types, types.toReversed()]) {
    const views = order.map((seen) => parseFieldSelectionText(parcelsOf(seen), seen));
    const { run } = countRuns(database);
    const stateOf = await loadStates(bothSides(event, crate.key, views), { run, model });
    const state = stateOf(event, crate.key, 'after');
    const rendered = views.map((view) => renderResource(state, view, crate.key, links, charsMax));
    expect(rendered).toEqual(await Promise.all(views.map((view) => read(view, crate.key))));
    expect(new Set(rendered).size).toBe(3);
  }
});

function parcelsOf(seen: ObjectType): string {
  const collection = seen.attributes.get('parcels');
  const names = collection?.kind === 'collection' ? [...collection.of.attributes.keys()] : [];
  const shown = names.filter((name) => name !== 'photo').map((name) => [name, '*']);
  return JSON.stringify({ parcels: Object.fromEntries(shown) });
}
