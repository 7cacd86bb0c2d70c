// A small set of objects that is both in the database and in memory, and a plain evaluation of filters over it: what
// the statements find is compared with what this finds. It shares no code with `src/query`.

import type pg from 'pg';
import { insert } from './query-fixture.ts';

/** An object with its attributes by name: scalars, references (an object or null), collections (arrays of objects). */
export type Remembered = { [name: string]: Scalar | Remembered | Remembered[] | null } & { key: number };

type Scalar = string | number | boolean;

export async function insertFleet(pool: pg.Pool): Promise<Remembered[]> {
  const ports = [await addPort(pool, 'AAAAA', 'anchor'), await addPort(pool, 'BBBBB', null)];
  const vessels = [
    await addVessel(pool, 'alpha', 2001),
    await addVessel(pool, 'bravo', null),
    await addVessel(pool, 'charlie', 1999),
  ];
  const voyages: Remembered[] = [];
  for (let index = 0; index < 24; index++) voyages.push(await addVoyage(pool, index, vessels, ports));
  return voyages;
}

async function addPort(pool: pg.Pool, unLoCode: string, portName: string | null): Promise<Remembered> {
  const key = await insert(pool, 'port', { un_lo_code: unLoCode, port_name: portName });
  return { key, unLoCode, portName };
}

async function addVessel(pool: pg.Pool, vesselName: string, builtYear: number | null): Promise<Remembered> {
  const key = await insert(pool, 'vessel', { vessel_name: vesselName, built_year: builtYear });
  return { key, vesselName, builtYear };
}

/** Values repeat in periods that share no factor, so that many combinations come up. */
async function addVoyage(
  pool: pg.Pool,
  index: number,
  vessels: Remembered[],
  ports: Remembered[],
): Promise<Remembered> {
  const values = {
    comments: pick(['plain', 'Plain', '50%', 'a_b', 'back\\slash', 'say "x"', '', null], index),
    voyageStatus: pick(['EST', 'NOM', null], index),
    freight: pick([0, 1.5, -2, 100, null], index),
    isTc: pick([true, false, null, null], index),
    estimatedVoyageStartDate: pick(['2026-01-01T00:00:00', '2026-06-01T12:30:00', null], index + 1),
    vessel: pick([...vessels, null], index),
    ballastPort: pick([...ports, null], index),
  };
  const key = await insert(pool, 'voyage', {
    comments: values.comments,
    voyage_status: values.voyageStatus,
    freight: values.freight,
    is_tc: values.isTc,
    estimated_voyage_start_date: values.estimatedVoyageStartDate,
    vessel: values.vessel?.key ?? null,
    ballast_port: values.ballastPort?.key ?? null,
  });
  const voyage: Remembered = { key, ...values, portCalls: [] };
  for (let call = 0; call < index % 4; call++)
    (voyage.portCalls as Remembered[]).push(await addCall(pool, voyage, index + call * 2, ports));
  return voyage;
}

async function addCall(pool: pg.Pool, voyage: Remembered, index: number, ports: Remembered[]): Promise<Remembered> {
  const values = {
    port: ports[index % ports.length]!,
    speed: pick([10, 12.5, null], index),
    arrivalFixed: pick([true, false, null], index),
  };
  const key = await insert(pool, 'port_call', {
    voyage: voyage.key,
    port: values.port.key,
    reason_for_call: 'L',
    speed: values.speed,
    arrival_fixed: values.arrivalFixed,
  });
  const call: Remembered = { key, ...values, voyage, eventLogs: [] };
  for (let log = 0; log < index % 3; log++) {
    const event = pick(['ARR', 'BRT', 'DEP'], index + log);
    const logKey = await insert(pool, 'event_log', { port_call: key, event });
    (call.eventLogs as Remembered[]).push({ key: logKey, event, portCall: call });
  }
  return call;
}

function pick<T>(values: readonly T[], index: number): T {
  return values[index % values.length]!;
}

export interface PlainFilter {
  path: string[];
  operator: string;
  /** As the attribute has them: numbers, booleans, texts. */
  values: Scalar[];
}

/** Groups ORed, the filters of a group ANDed over every choice of one element for each collection on their paths. */
export function fits(object: Remembered, groups: PlainFilter[][]): boolean {
  return groups.some((filters) =>
    choices(object, filters).some((choice) => filters.every((filter) => holds(object, filter, choice))),
  );
}

type Choice = Map<string, Remembered>;

/** Every way to choose an element for each collection that the filters pass through, inner ones within the outer. */
function choices(object: Remembered, filters: PlainFilter[]): Choice[] {
  const passed = new Set(
    filters.flatMap(({ path }) => path.slice(0, -1).map((_, index) => path.slice(0, index + 1).join('.'))),
  );
  let all: Choice[] = [new Map()];
  for (const place of [...passed].sort((one, other) => one.length - other.length)) {
    all = all.flatMap((choice) => {
      const value = follow(object, place.split('.'), choice);
      return Array.isArray(value) ? value.map((element) => new Map(choice).set(place, element)) : [choice];
    });
  }
  return all;
}

function follow(object: Remembered, path: string[], choice: Choice): Remembered[string] {
  let current: Remembered[string] = object;
  for (const [index, name] of path.entries()) {
    const chosen: Remembered | undefined = choice.get(path.slice(0, index).join('.'));
    if (Array.isArray(current)) current = chosen ?? null;
    if (current === null) return null;
    current = (current as Remembered)[name] ?? null;
  }
  return current;
}

function holds(object: Remembered, { path, operator, values }: PlainFilter, choice: Choice): boolean {
  const end = follow(object, path, choice);
  if (Array.isArray(end)) return operator === 'NULL' ? end.length === 0 : end.length > 0;
  // A collection that is reached over nothing has no elements.
  if (end === null && path.at(-1) === 'portCalls') return operator === 'NULL';
  const value = end !== null && typeof end === 'object' ? end.key : end;
  return compare(value, operator, values);
}

function compare(value: Scalar | null, operator: string, values: Scalar[]): boolean {
  const [first, second] = values as [Scalar, Scalar];
  if (operator === 'NULL') return value === null;
  if (operator === 'NE') return value !== first;
  if (operator === 'NIN') return value === null || !values.includes(value);
  if (value === null) return false;
  switch (operator) {
    case 'NOTNULL':
      return true;
    case 'EQ':
      return value === first;
    case 'IN':
      return values.includes(value);
    case 'GT':
      return value > first;
    case 'GTE':
      return value >= first;
    case 'LT':
      return value < first;
    case 'LTE':
      return value <= first;
    case 'BETWEEN':
      return value >= first && value <= second;
    case 'LIKE':
      return patternOf(String(first), '').test(String(value));
    case 'ILIKE':
      return patternOf(String(first), 'i').test(String(value));
    default:
      throw new Error(`no operator ${operator}`);
  }
}

function patternOf(pattern: string, flags: string): RegExp {
  const parts = pattern.match(/\\[%_\\]|[\s\S]/g) ?? [];
  const source = parts.map((part) => {
    if (part === '%') return '[^]*';
    if (part === '_') return '[^]';
    const literal = part.length === 2 ? part[1]! : part;
    return `\\u{${literal.codePointAt(0)!.toString(16)}}`;
  });
  return new RegExp(`^${source.join('')}$`, `${flags}u`);
}
