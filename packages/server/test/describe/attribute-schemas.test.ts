// How single attributes are described, in the API description and on the docs page: every kind, default, and condition.

import { describe, expect, test } from 'vitest';
import { buildOpenApi } from '../../src/describe/build-openapi.ts';
import { renderAttributes } from '../../src/describe/docs-page/attribute-table.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { Document, SchemaNode } from './api-document.ts';
import { openSchemas } from './check-answer.ts';
import { descriptionOptions } from './description-options.ts';

const model = buildModel({
  ...catalogue,
  Shift: {
    attributes: {
      shiftNo: { kind: 'text', maxLength: 9, isRequired: true, isFixed: true, description: 'Its number.' },
      crew: { kind: 'integer', default: 3 },
      rate: { kind: 'decimal', default: 1.5 },
      isOpen: { kind: 'boolean', default: true },
      watch: { kind: 'code', values: ['DAY', 'NIGHT'], default: 'NIGHT' },
      place: { kind: 'text', default: 'deck' },
      tags: { kind: 'textList' },
      duties: { kind: 'textList', values: ['LOAD', 'SAIL', 'MOOR'], minItems: 2, isRequired: true },
      details: { kind: 'json' },
      about: { kind: 'key' },
      contact: { kind: 'text', format: 'email', maxLength: 254 },
      colour: { kind: 'text', since: '5.23', edition: 'ENTERPRISE' },
      serial: { kind: 'text', isRequired: true, isFilledIn: true },
      hash: { kind: 'text', isHidden: true },
    },
  },
});
const document = JSON.parse(JSON.stringify(buildOpenApi(model, descriptionOptions))) as Document;
const { Shift: answered, ShiftCreate: created, ShiftChange: changed } = document.components.schemas;

function property(schema: SchemaNode | undefined, name: string): SchemaNode {
  return schema!.properties![name]!;
}

describe('the API description', () => {
  test('requires what must be sent, and not what has a default or is filled in', () => {
    expect(created?.required).toEqual(['shiftNo', 'duties']);
  });

  test('states a default in words: generators would require an attribute with the keyword', () => {
    const defaults = { crew: 3, rate: 1.5, isOpen: true, watch: 'NIGHT', place: 'deck' };
    for (const [name, value] of Object.entries(defaults)) {
      for (const schema of [created, changed, answered]) {
        expect(property(schema, name), name).not.toHaveProperty('default');
        expect(property(schema, name).description, name).toContain(`Default \`${value}\`.`);
      }
    }
  });

  test('describes lists as arrays of unique texts', () => {
    expect(property(answered, 'tags')).toMatchObject({
      type: ['array', 'null'],
      items: { type: 'string', minLength: 1, maxLength: 255 },
      uniqueItems: true,
      maxItems: 100,
    });
    expect(property(created, 'duties')).toMatchObject({
      type: 'array',
      items: { type: 'string', enum: ['LOAD', 'SAIL', 'MOOR'] },
      minItems: 2,
    });
  });

  test('accepts any JSON for an attribute without a schema', () => {
    const validate = openSchemas(document).compile({ $ref: 'document#/components/schemas/ShiftChange' });
    for (const details of [null, 1, 'x', true, [], { a: [{}] }])
      expect(validate({ details }), String(details)).toBe(true);
    expect(validate({ tags: ['x', 'x'] })).toBe(false);
    expect(validate({ contact: 'a b@c' })).toBe(false);
    expect(validate({ contact: 'a@c' })).toBe(true);
  });

  test('states the version, the edition and the time in which an attribute can be set', () => {
    expect(property(answered, 'colour').description).toBe('Colour. Since 5.23. Edition ENTERPRISE only.');
    expect(property(answered, 'shiftNo').description).toBe('Its number. Set on create; cannot be changed later.');
    expect(property(answered, 'contact').description).toBe('Contact. One e-mail address.');
  });

  test('has no fixed attribute in the example of a change, and no hidden attribute anywhere', () => {
    expect(changed?.examples).toEqual([{ crew: 1 }]);
    expect(JSON.stringify(document.components.schemas)).not.toContain('"hash"');
  });
});

test('the docs page describes every attribute in the same way', () => {
  const page = renderAttributes([...model.types.get('Shift')!.attributes.values()]).markup;
  const row = (name: string) => page.split('<tr>').find((text) => text.includes(`<code>${name}</code>`));
  expect(row('shiftNo')).toMatch(/required.*Set on create; cannot be changed later\./s);
  for (const name of ['crew', 'serial']) expect(row(name)).not.toContain('mark required');
  expect(row('crew')).toContain('Default <code>3</code>.');
  expect(row('tags')).toContain('text[]');
  expect(row('duties')).toMatch(/text\[\].*<code>LOAD<\/code> <code>SAIL<\/code>/s);
  expect(row('details')).toContain('JSON');
  expect(row('colour')).toMatch(/since 5\.23.*ENTERPRISE/);
});
