// Objects to evaluate expressions over, made from plain rows, and functions that compile and evaluate an expression.

import type { Outcome } from '../src/compile/evaluate.ts';
import { type CompiledExpression, compileExpression } from '../src/compile-expression.ts';
import type { ObjectReader, ObjectShape, StoredValue } from '../src/input/object-shape.ts';
import type { FieldTree } from '../src/typing/read-place.ts';
import { fleet } from './fleet-shapes.ts';

export interface Row {
  key: number;
  [attribute: string]: string | number | boolean | null | Row | Row[] | string[];
}

export function typeOf(name: string): ObjectShape {
  return fleet.get(name)!;
}

export function readerOf(row: Row): ObjectReader {
  return { key: row.key, get: (attribute) => stored(row[attribute]) };
}

function stored(value: Row[string] | undefined): StoredValue {
  if (Array.isArray(value))
    return value.map((element) => (typeof element === 'string' ? element : readerOf(element))) as StoredValue;
  return value !== null && typeof value === 'object' ? readerOf(value) : value;
}

export function compiled(text: string, type = 'Voyage'): CompiledExpression {
  const result = compileExpression(text, typeOf(type));
  if (result.kind === 'mistakes')
    throw new Error(`${text}\n${result.mistakes.map(({ message }) => message).join('\n')}`);
  return result;
}

export function outcomeOf(text: string, row: Row = voyage, old: Row | null = oldVoyage, type = 'Voyage'): Outcome {
  const objects = { svcObject: readerOf(row), oldSvcObject: old && readerOf(old), nowMs: Date.UTC(2026, 0, 15) };
  return compiled(text, type).evaluate(objects);
}

/** The value of the expression; a failed evaluation fails the test. */
export function answerOf(text: string, row?: Row, old?: Row | null): boolean {
  const outcome = outcomeOf(text, row, old);
  if (outcome.kind === 'error') throw new Error(`${text}: ${outcome.message}`);
  return outcome.value;
}

/** The name of the exception that ends the evaluation. */
export function failureOf(text: string, row?: Row, old?: Row | null): string {
  const outcome = outcomeOf(text, row, old);
  return outcome.kind === 'error' ? outcome.exception : `${outcome.value}`;
}

/** The attributes that are read, such as `new:vessel.flag`. */
export function pathsOf({ selections }: CompiledExpression): string[] {
  return [...listPaths('new:', selections.new), ...listPaths('old:', selections.old)];
}

/** A path also ends at a reference or collection from which nothing is read. */
function listPaths(before: string, tree: FieldTree): string[] {
  return [...tree].flatMap(([name, child]) =>
    child === '*' || child.size === 0 ? [before + name] : listPaths(`${before}${name}.`, child),
  );
}

/** The types of the objects in the hierarchy of a voyage. */
export const voyageHierarchy = ['Voyage', 'PortCall', 'EventLog', 'Cargo', 'CargoPort'].map(typeOf);

/** All mistakes, as `line:column message`. */
export function mistakesIn(text: string, type = 'Voyage', hierarchy?: readonly ObjectShape[]): string[] {
  const result = compileExpression(text, typeOf(type), hierarchy);
  if (result.kind === 'compiled') throw new Error(`${text} was not rejected`);
  return result.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const rotterdam: Row = { key: 901, portName: 'Rotterdam', unLoCode: 'NLRTM', isCanal: false };
const suez: Row = { key: 902, portName: 'Suez Canal', unLoCode: 'EGSUZ', isCanal: true };

export const voyage: Row = {
  key: 1042,
  self: 'http://localhost/ws/rest/Voyage/1042',
  createdDate: '2025-12-01T08:00:00',
  modifiedDate: '2026-01-10T12:30:00',
  createdById: 7,
  changedById: null,
  externalObjectKey: null,
  referenceNo: 17,
  voyageStatus: 'NOM',
  comments: 'Berth at noon',
  estimatedVoyageStartDate: '2026-01-01T06:00:00',
  isTc: true,
  daysTotal: 12.5,
  daysLoading: 3,
  daysWaiting: null,
  freight: 250000.75,
  vessel: { key: 501, vesselName: 'Northern Light', builtYear: 2012, dwtSummer: 82000, flag: null },
  ballastPort: null,
  portCalls: [
    {
      key: 2001,
      portCallSequence: 1,
      reasonForCall: 'L',
      eta: '2026-01-02T00:00:00',
      arrivalFixed: true,
      speed: 12.5,
      port: rotterdam,
      eventLogs: [{ key: 3001, event: 'ARR', eventLogDate: '2026-01-02T01:00:00', isDateFixed: true }],
    },
    {
      key: 2002,
      portCallSequence: 2,
      reasonForCall: 'D',
      eta: null,
      arrivalFixed: null,
      speed: null,
      port: suez,
      eventLogs: [],
    },
  ],
  cargos: [],
};

export const oldVoyage: Row = {
  ...voyage,
  voyageStatus: 'EST',
  daysTotal: 10,
  daysLoading: 2,
  isTc: null,
  vessel: null,
  portCalls: [],
};
