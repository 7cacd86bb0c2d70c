// Fills the lists that every installation needs. Each list is filled only if it is empty at start, so that an
// operator's changes are kept. Objects are created through the same checks as a request, so nothing invalid can be
// stored.

import { ApiError } from '../errors.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { serviceCaller } from '../objects/caller.ts';
import type { Objects } from '../objects/objects.ts';
import type { Observe } from '../observe/observation.ts';
import { parseListRequest } from '../query/list-request.ts';
import { minimizedView } from '../query/view.ts';
import { bunkerTypes } from './bunker-types.ts';
import { commodities } from './commodities.ts';
import { currencies } from './currencies.ts';
import { ports } from './ports.ts';

interface ReferenceDataContext {
  objects: Pick<Objects, 'list' | 'create'>;
  model: Model;
  observe: Observe;
}

const referenceData = new Map<string, readonly object[]>([
  ['Currency', currencies],
  ['Port', ports],
  ['BunkerType', bunkerTypes],
  ['Commodity', commodities],
]);

export async function loadReferenceData({ objects, model, observe }: ReferenceDataContext): Promise<void> {
  let loaded = 0;
  for (const [name, rows] of referenceData) {
    const type = model.types.get(name);
    if (type && fits(type, rows) && (await isEmpty(objects, type))) loaded += await create(objects, type, rows);
  }
  if (loaded > 0) observe({ kind: 'reference.loaded', objects: loaded });
}

/**
 * A type whose model requires attributes that the reference data lacks is left to the operator who changed the model.
 */
function fits(type: ObjectType, rows: readonly object[]): boolean {
  const known = new Set(Object.keys(rows[0] ?? {}));
  return [...type.attributes.values()].every(
    ({ isRequired, isReadOnly, name }) => !isRequired || isReadOnly || known.has(name),
  );
}

async function isEmpty(objects: Pick<Objects, 'list'>, type: ObjectType): Promise<boolean> {
  const { body } = await objects.list(parseListRequest(type, [['limit', '1']], { noCount: 'YES' }));
  return body.toString() === '[]';
}

async function create(objects: Pick<Objects, 'create'>, type: ObjectType, rows: readonly object[]): Promise<number> {
  const body = parseJson(JSON.stringify(rows));
  const [view, caller] = [minimizedView(type), serviceCaller('reference data')];
  try {
    await objects.create({ type, body, view, caller, idempotency: undefined });
    return rows.length;
  } catch (error) {
    // Another process of the same installation started at the same time and created the objects first.
    if (error instanceof ApiError && error.code === 'alreadyExists') return 0;
    throw error;
  }
}
