// Applies to the service what the reference model applies in memory: statements as SQL, requests over REST.

import type { Fleet } from '../support/fleet.ts';
import type { Request } from './model-based-wishes.ts';
import { type ModelObject, type Statement, type TypeName, typeTable, type Value } from './reference-model.ts';

/** One SQL statement for each. */
export function renderSql(statement: Statement, fleet: Fleet, typeOf: (mark: string) => TypeName): string {
  switch (statement.kind) {
    case 'insert': {
      const columns = Object.keys(columnsOf(statement.rows[0]!, fleet));
      const rows = statement.rows.map((row) => `(${Object.values(columnsOf(row, fleet)).join(', ')})`);
      return `insert into ${tableOf(statement.rows[0]!.type)} (${columns.join(', ')}) values ${rows.join(', ')}`;
    }
    case 'update': {
      const { type } = statement.rows[0]!;
      const names = Object.keys(changeableColumns(statement.rows[0]!));
      const rows = statement.rows.map(
        (row) => `(${[`'${row.mark}'`, ...Object.values(changeableColumns(row))].join(', ')})`,
      );
      // A reference to an object that this transaction deleted finds no key, and stays until COMMIT fails.
      const value = (name: string) =>
        isReference(type, name) ? `nullif(coalesce(n.${name}, t.${name}), 0)` : `n.${name}`;
      const set = names.map((name) => `${name} = ${value(name)}`);
      return (
        `update ${tableOf(type)} t set ${set.join(', ')} from (values ${rows.join(', ')}) as n (mark, ` +
        `${names.join(', ')}) where t.external_object_key = n.mark`
      );
    }
    case 'delete':
      return `delete from ${tableOf(typeOf(statement.mark))} where external_object_key = '${statement.mark}'`;
  }
}

/** `method path body`. */
export interface RestRequest {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
}

export function renderRequest(request: Request, fleet: Fleet, keyOf: (mark: string) => number): RestRequest {
  const target = ({ type, mark }: ModelObject) => `/ws/rest/${type}/${keyOf(mark)}`;
  switch (request.kind) {
    case 'POST': {
      const [object, ...inside] = request.rows;
      const body = { ...referencesOf(object!, keyOf), ...bodyOf(object!, inside, fleet) };
      return { method: 'POST', path: `/ws/rest/${object!.type}`, body };
    }
    case 'PUT': {
      const { before, after } = request;
      const isMoved = before.owner !== after.owner || before.portCall !== after.portCall;
      const body = isMoved ? referencesOf(after, keyOf) : after.values;
      return { method: 'PUT', path: target(after), body };
    }
    case 'PUT collection': {
      const elements = [
        ...request.kept.map(({ mark, values }) => ({ key: keyOf(mark), ...values })),
        ...request.added.map(([object, ...inside]) => bodyOf(object!, inside, fleet)),
      ];
      return { method: 'PUT', path: target(request.owner), body: { [request.collection]: elements } };
    }
    case 'DELETE':
      return { method: 'DELETE', path: target(request.object) };
  }
}

export function tableOf(type: string): string {
  return `flaghoist.${columnOf(type).slice(1)}`;
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function columnsOf(row: ModelObject, fleet: Fleet): Record<string, string> {
  const fixed = Object.entries(fixedAttributes(row.type, fleet)).map(([name, value]) => [
    columnOf(name),
    literal(value),
  ]);
  const columns = Object.entries(changeableColumns(row)).map(([name, value]) => [
    name,
    isReference(row.type, name) ? `nullif(${value}, 0)` : value,
  ]);
  return { external_object_key: `'${row.mark}'`, ...Object.fromEntries(fixed), ...Object.fromEntries(columns) };
}

function isReference(type: TypeName, column: string): boolean {
  const { owner, portCall } = typeTable[type];
  return (owner !== undefined && columnOf(owner.name) === column) || (portCall !== undefined && column === 'port_call');
}

/** With types, because PostgreSQL takes a null among VALUES for text. A reference to nothing is 0. */
function changeableColumns({ type, values, owner, portCall }: ModelObject): Record<string, string> {
  const row = typeTable[type];
  const columns = Object.entries(values).map(([name, value]) => [columnOf(name), typed(name, value)]);
  if (row.owner) columns.push([columnOf(row.owner.name), keyIn(row.owner.type, owner)]);
  if (row.portCall) columns.push(['port_call', keyIn('PortCall', portCall)]);
  return Object.fromEntries(columns);
}

function keyIn(type: TypeName, mark: string | null): string {
  return mark === null ? '0::bigint' : `(select key from ${tableOf(type)} where external_object_key = '${mark}')`;
}

function typed(name: string, value: Value): string {
  if (name === 'isDateFixed') return `${literal(value)}::boolean`;
  const isNumber = ['daysTotal', 'speed', 'quantity', 'extraCost', 'unitPrice'].includes(name);
  return `${literal(value)}::${isNumber ? 'numeric' : 'text'}`;
}

function literal(value: Value): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** Required attributes that no test changes. */
function fixedAttributes(type: TypeName, fleet: Fleet): Record<string, Value> {
  const { port, commodity, partner, currency, vessel, bunkerType } = fleet;
  switch (type) {
    case 'PortCall':
    case 'CargoPort':
      return { port: port.key };
    case 'Cargo':
      return {
        commodity: commodity.key,
        charterer: partner.key,
        freightCurrency: currency.key,
        cargoMeasurement: 'MT',
      };
    case 'BunkerOrder':
      return { vessel: vessel.key };
    case 'BunkerOrderLine':
      return { minQuantity: 1, maxQuantity: 2, bunkerType: bunkerType.key };
    default:
      return {};
  }
}

/** Without its owner, because it is sent inside the owner. */
function bodyOf(object: ModelObject, inside: readonly ModelObject[], fleet: Fleet): object {
  const collections = Object.entries(typeTable[object.type].collections)
    .filter(([, of]) => of !== 'Cargo')
    .map(([name, of]) => {
      const elements = inside.filter(({ type, owner }) => type === of && owner === object.mark);
      return [name, elements.map((element) => bodyOf(element, inside, fleet))];
    });
  return {
    externalObjectKey: object.mark,
    ...fixedAttributes(object.type, fleet),
    ...object.values,
    ...Object.fromEntries(collections),
  };
}

function referencesOf({ type, owner, portCall }: ModelObject, keyOf: (mark: string) => number): object {
  const row = typeTable[type];
  const keyOrNull = (mark: string | null) => (mark === null ? null : keyOf(mark));
  return {
    ...(row.owner ? { [row.owner.name]: keyOrNull(owner) } : {}),
    ...(row.portCall ? { portCall: keyOrNull(portCall) } : {}),
  };
}
