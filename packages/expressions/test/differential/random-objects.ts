// Random voyages with the objects that they refer to. Nulls, zeros, signs and unusual letters are frequent.

import type { ObjectShape } from '../../src/input/object-shape.ts';
import { type Row, typeOf } from '../expression-fixture.ts';
import type { Dice } from './dice.ts';

/** The object types, and their attributes that lead to other objects. */
export const modelled = ['Voyage', 'Vessel', 'Port', 'PortCall', 'EventLog'] as const;
const followed = new Set(['vessel', 'ballastPort', 'portCalls', 'port', 'eventLogs']);

export interface ObjectPair {
  row: Row;
  old: Row | null;
}

/** There is always an old object: Java cannot call getters on one that does not exist. */
export function randomPair(dice: Dice): ObjectPair {
  const row = randomRow(dice, typeOf('Voyage'));
  return { row, old: { ...randomRow(dice, typeOf('Voyage')), key: row.key } };
}

export function isModelled(attribute: { name: string; kind: string }): boolean {
  if (attribute.kind === 'reference' || attribute.kind === 'collection') return followed.has(attribute.name);
  return attribute.kind !== 'self' && attribute.kind !== 'binary' && attribute.kind !== 'json';
}

function randomRow(dice: Dice, type: ObjectShape): Row {
  const row: Row = { key: 1 + dice.below(5) };
  for (const attribute of type.attributes.values()) {
    if (attribute.name === 'key' || !isModelled(attribute)) continue;
    row[attribute.name] = dice.isLucky(0.2) && attribute.kind !== 'collection' ? null : randomValue(dice, attribute);
  }
  return row;
}

type Attributes = ObjectShape['attributes'] extends ReadonlyMap<string, infer A> ? A : never;

function randomValue(dice: Dice, attribute: Attributes): Row[string] {
  switch (attribute.kind) {
    case 'decimal':
      return dice.pick([
        0,
        1,
        -1,
        0.5,
        2.25,
        10,
        12.5,
        100,
        -3.75,
        0.1,
        0.3,
        1e7,
        123456.789,
        1e-5,
        dice.below(2000) / 8,
      ]);
    case 'integer':
      return dice.pick([0, 1, 2, 3, -1, 7, 2012, 2147483647, -2147483648, dice.below(100)]);
    case 'key':
      return dice.pick([1, 2, 3, 7, 9007199254740991, dice.below(1000)]);
    case 'boolean':
      return dice.isLucky(0.5);
    case 'dateTime':
      return new Date(Date.UTC(2026, dice.below(3), 1 + dice.below(5), dice.below(3))).toISOString().slice(0, 19);
    case 'code':
      return dice.pick(attribute.values.slice(0, 4));
    case 'reference':
      return randomRow(dice, attribute.target);
    case 'collection':
      return Array.from({ length: dice.below(4) }, () => randomRow(dice, attribute.of));
    default:
      return dice.pick([
        '',
        'a',
        'A',
        'b',
        'NOM',
        'nom',
        'EST',
        ' x ',
        'Northern Light',
        'a,b,,c,',
        'straße',
        'Ünï',
        '12',
        '-7',
        '3.5',
        '😀x',
        'a.b',
        'aaa',
      ]);
  }
}
