// Renders changes as a reader sees them: names instead of keys, and only attributes of the reader's API version.

import type { Run } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { StoredRow } from '../events/stored-row.ts';
import type { Model, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';
import { codeOf, type NamedObject, nameObject } from '../render/name-object.ts';
import { changedAttributes } from '../render/render-changes.ts';
import { selectLive } from '../snapshots/object-rows-table.ts';

export interface Change {
  event: ChangeEvent;
  client: string | null;
  notificationCount: number;
}

/** Renders each as the JSON of a change. `model`: as the reader sees it. */
export async function renderChangeList(
  changes: readonly Change[],
  { model, links, run }: { model: Model; links: Links; run: Run },
): Promise<string[]> {
  const rows = await loadRows(changes, model, run);
  return changes.map((change) =>
    renderChange(change, model.types.get(change.event.type.name)!, { rows, model, links }),
  );
}

interface Rendering {
  rows: RowsByType;
  model: Model;
  links: Links;
}

function renderChange({ event, client, notificationCount }: Change, type: ObjectType, rendering: Rendering): string {
  const { rows, model, links } = rendering;
  const { id, operation, key, occurredAt, userKey } = event;
  const user = model.types.get('ApiUser')!;
  const text = JSON.stringify;
  const attributes = changedAttributes(event, type, links).map(
    (changed) => `{"name":${changed.name},"old":${changed.old},"new":${changed.new}}`,
  );
  const members = {
    id,
    event: text(`${type.name}.${operation}`),
    objectType: text(type.name),
    objectKey: key,
    name: text(nameObject(type, namedRow(event.newRow ?? event.oldRow!, rows))),
    occurredAt: text(occurredAt),
    user: text(userKey === null ? null : { key: userKey, userCode: codeOf(user, namedKey(userKey, user, rows)) }),
    client: text(client),
    changedAttributes: `[${attributes.join(',')}]`,
    mainObjects: text(mainObjects(event)),
    notificationCount,
  };
  return `{${Object.entries(members)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
}

function mainObjects({ roots }: ChangeEvent): { objectType: string; objectKey: number }[] {
  return [...roots].flatMap(([objectType, keys]) => keys.map((objectKey) => ({ objectType, objectKey })));
}

type RowsByType = ReadonlyMap<ObjectType, ReadonlyMap<number, StoredRow>>;

/** The users, and the objects that the names of the changed objects refer to, as they are now. */
async function loadRows(changes: readonly Change[], model: Model, run: Run): Promise<RowsByType> {
  const wanted = new Map<ObjectType, Set<number>>();
  const want = (type: ObjectType, key: unknown) => {
    if (typeof key === 'number') entryOf(wanted, type, () => new Set()).add(key);
  };
  for (const { event } of changes) {
    want(model.types.get('ApiUser')!, event.userKey);
    const row = event.newRow ?? event.oldRow!;
    for (const { kind, column, target } of referencesShown(model.types.get(event.type.name)!))
      if (kind === 'reference') want(target, row[column]);
  }
  const types = [...wanted.keys()];
  if (types.length === 0) return new Map();
  const found = await run(...types.map((type) => selectLive(type, 'key', wanted.get(type)!)));
  return new Map(
    types.map((type, index) => {
      const rows = found[index] as unknown as StoredRow[];
      return [type, new Map(rows.map((row) => [Number(row.key), row]))];
    }),
  );
}

function referencesShown({ shownBy }: ObjectType): ReferenceAttribute[] {
  return shownBy.filter((attribute): attribute is ReferenceAttribute => attribute.kind === 'reference');
}

/** What refers to something is named by how that is now. */
function namedRow(row: StoredRow, rows: RowsByType): NamedObject {
  return {
    scalar: ({ column }) => row[column],
    reference: ({ column, target }) => namedKey(row[column], target, rows),
  };
}

function namedKey(key: unknown, type: ObjectType, rows: RowsByType): NamedObject | undefined {
  const row = typeof key === 'number' ? rows.get(type)?.get(key) : undefined;
  return row && namedRow(row, rows);
}
