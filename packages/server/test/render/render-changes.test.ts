// What changed in a row, as the envelope shows it.

import { expect, test } from 'vitest';
import type { ChangeEvent } from '../../src/events/change-event.ts';
import { readStoredRow } from '../../src/events/stored-row.ts';
import { buildModel, type Declarations } from '../../src/model/build-model.ts';
import { subscriberModel } from '../../src/model/subscriber-model.ts';
import { renderChanges } from '../../src/render/render-changes.ts';

const declarations: Declarations = {
  Parcel: {
    attributes: {
      label: { kind: 'text' },
      weight: { kind: 'decimal' },
      count: { kind: 'integer' },
      sentDate: { kind: 'dateTime' },
      isFragile: { kind: 'boolean' },
      tags: { kind: 'textList' },
      details: { kind: 'json' },
      beside: { kind: 'reference', to: 'Parcel' },
      photo: { kind: 'binary' },
      secret: { kind: 'text', isHidden: true },
      password: { kind: 'text', isWriteOnly: true },
    },
  },
  Contract: {
    access: { read: 'admin', write: 'admin' },
    shownBy: ['code'],
    attributes: { code: { kind: 'text', maxLength: 8 }, rate: { kind: 'decimal' } },
  },
};
const model = buildModel(declarations);
const { types } = subscriberModel(model);
const links = { restUrl: 'https://example.org/ws/rest' };

/** Rows as JSON; null if there is none. */
function changesOf(typeName: string, oldRow: string | null, newRow: string | null): string {
  const type = model.types.get(typeName)!;
  const read = (row: string | null) => (row === null ? null : readStoredRow(row, type));
  const event = { type, key: 7, oldRow: read(oldRow), newRow: read(newRow) } as ChangeEvent;
  return renderChanges(event, types, links);
}

const start = (attribute: string) => `{"objectType":"Parcel","objectKey":7,"attribute":"${attribute}"`;

test('each attribute that differs is listed in the order of the model, as a resource shows it', () => {
  const before =
    '{"key":7,"beside":8,"weight":1.50000000,"label":"a \\"q\\"","tags":["a"],"details":{"a": 1},"count":1,' +
    '"sent_date":"2026-11-15T08:30:00","is_fragile":true}';
  const after =
    '{"key":7,"beside":9,"weight":1234567890123456.12345678,"label":null,"tags":["a","b"],"details":{"a": 1.0},' +
    '"count":2,"sent_date":"2026-11-16T00:00:00","is_fragile":false}';
  expect(changesOf('Parcel', before, after)).toBe(
    `[${start('label')},"old":"a \\"q\\"","new":null},` +
      `${start('weight')},"old":1.5,"new":1234567890123456.12345678},` +
      `${start('count')},"old":1,"new":2},` +
      `${start('sentDate')},"old":"2026-11-15T08:30:00","new":"2026-11-16T00:00:00"},` +
      `${start('isFragile')},"old":true,"new":false},` +
      `${start('tags')},"old":["a"],"new":["a","b"]},` +
      `${start('details')},"old":{"a": 1},"new":{"a": 1.0}},` +
      `${start('beside')},"old":{"key":8,"self":"https://example.org/ws/rest/Parcel/8"},` +
      '"new":{"key":9,"self":"https://example.org/ws/rest/Parcel/9"}}]',
  );
});

test('an attribute that is the same is not listed, nor are the stamps of the service', () => {
  const row = (stamp: string) =>
    `{"key":7,"label":"a","weight":1.00000000,"tags":["a"],"modified_date":"${stamp}","changed_by_id":${stamp.length}}`;
  expect(changesOf('Parcel', row('2026-11-15T08:30:00'), row('x'))).toBe('[]');
});

test('on create and on delete, all attributes with a value are listed', () => {
  const row = '{"key":7,"label":"a","weight":null,"external_object_key":"X-1","created_date":"2026-11-15T08:30:00"}';
  expect(changesOf('Parcel', null, row)).toBe(
    `[${start('externalObjectKey')},"old":null,"new":"X-1"},${start('label')},"old":null,"new":"a"}]`,
  );
  expect(changesOf('Parcel', row, null)).toBe(
    `[${start('externalObjectKey')},"old":"X-1","new":null},${start('label')},"old":"a","new":null}]`,
  );
});

test('hidden, write-only and binary columns are never listed, nor what subscribers may not read', () => {
  const row = (mark: string) => `{"key":7,"photo":"${mark}","secret":"${mark}","password":"${mark}"}`;
  expect(changesOf('Parcel', row('one'), row('two'))).toBe('[]');
  expect(changesOf('Contract', null, '{"key":7,"code":"C-1","rate":12.50000000}')).toBe(
    '[{"objectType":"Contract","objectKey":7,"attribute":"code","old":null,"new":"C-1"}]',
  );
});
