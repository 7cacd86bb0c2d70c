// A resource is byte for byte what a GET of the same view returns.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../src/events/change-event.ts';
import type { Attribute, CollectionAttribute, ObjectType } from '../../src/model/object-type.ts';
import { parseFieldSelectionText } from '../../src/query/field-selection.ts';
import type { View } from '../../src/query/view.ts';
import { renderResource } from '../../src/render/render-resource.ts';
import { loadStates } from '../../src/snapshots/load-states.ts';
import { useTestService } from '../support/test-service.ts';
import { asLast, changesDuring, charsMax, countRuns, model, typeOf, viewOf } from './payload-fixture.ts';
import { createWorld } from './world.ts';

const service = useTestService();
let events: ChangeEvent[];
beforeAll(async () => {
  events = await changesDuring(service.database, () => createWorld(service));
});

const businessTypes = [...model.types.values()].filter(({ isServiceOwn }) => !isServiceOwn);
const serviceTypes = ['ApiUser', 'ApiClient', 'AuditLog'].map(typeOf);

async function keysOf(type: ObjectType): Promise<number[]> {
  const schema = type.isServiceOwn ? 'flaghoist_service' : 'flaghoist';
  const { rows } = await service.database.pool.query(`select key from ${schema}."${type.table}" order by key`);
  return rows.map(({ key }) => Number(key));
}

/** All in one batch, with the newest event of each object, whose image equals the live row. */
async function render(view: View, keys: number[]): Promise<string[]> {
  const newest = new Map(events.map((event) => [event.key, asLast(event)]));
  const other = asLast(events.findLast(({ type }) => type.name === 'Currency')!);
  const side = 'after';
  const wanted = keys.map((key) => ({ event: newest.get(key) ?? other, key, side, view }) as const);
  const { run } = countRuns(service.database);
  const stateOf = await loadStates(wanted, { run, model });
  const links = { restUrl: `${service.url()}/ws/rest` };
  return wanted.map(({ event, key }) => renderResource(stateOf(event, key, side), view, key, links, charsMax)!);
}

async function expectSame(type: ObjectType, keys: number[], fields?: string): Promise<void> {
  const view = fields === undefined ? viewOf(type.name) : parseFieldSelectionText(fields, type);
  const rendered = await render(view, keys);
  for (const [index, key] of keys.entries()) {
    const { status, text } = await service.get(
      `/ws/rest/${type.name}/${key}${fields ? `?fields=${encodeURIComponent(fields)}` : ''}`,
    );
    expect(status, text).toBe(200);
    expect(rendered[index]).toBe(text);
  }
}

describe('the whole view is the same as in a GET', () => {
  for (const type of [...businessTypes, ...serviceTypes])
    test(type.name, async () => {
      const keys = await keysOf(type);
      if (type.name !== 'AuditLog') expect(keys.length).toBeGreaterThan(0);
      await expectSame(type, keys);
    });
});

describe('a field selection is the same as in a GET', () => {
  test('down to attachments, through remarks, which are not part of the object', async () => {
    await expectSame(typeOf('Voyage'), await keysOf(typeOf('Voyage')), '{"remarks":{"attachments":{"fileName":"*"}}}');
  });

  test('up to owners and down again', async () => {
    const fields = '{"portCall":{"voyage":{"portCalls":{"port":"*","voyage":{"vessel":"*"}},"cargos":"*"}}}';
    await expectSame(typeOf('BunkerOrder'), await keysOf(typeOf('BunkerOrder')), fields);
  });

  test('of any shape, for any object', async () => {
    const selection = fc
      .constantFrom(...businessTypes)
      .chain((type) => selectionOf(type, 4, []).map((fields) => ({ type, fields })));
    await fc.assert(
      fc.asyncProperty(selection, async ({ type, fields }) => {
        const keys = await keysOf(type);
        await expectSame(type, keys.slice(-3), JSON.stringify(fields));
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});

type Selection = { [name: string]: '*' | Selection };

function selectionOf(type: ObjectType, depth: number, through: CollectionAttribute[]): fc.Arbitrary<Selection> {
  const attributes = [...type.attributes.values()].filter(
    (attribute) => attribute.kind !== 'binary' && (attribute.kind !== 'collection' || !through.includes(attribute)),
  );
  return fc
    .subarray(attributes, { maxLength: 5 })
    .chain((picked) => fc.tuple(...picked.map((attribute) => pickOf(attribute, depth, through))))
    .map((picks) => Object.fromEntries(picks));
}

function pickOf(
  attribute: Attribute,
  depth: number,
  through: CollectionAttribute[],
): fc.Arbitrary<[string, '*' | Selection]> {
  const all = fc.constant<[string, '*']>([attribute.name, '*']);
  const isTree = attribute.kind === 'reference' || attribute.kind === 'collection';
  if (!isTree || depth === 0) return all;
  const isCollection = attribute.kind === 'collection';
  const inside = selectionOf(
    isCollection ? attribute.of : attribute.target,
    depth - 1,
    isCollection ? [...through, attribute] : through,
  );
  return fc.oneof(
    all,
    inside.map((selection): [string, Selection] => [attribute.name, selection]),
  );
}
