// Renders what a change has changed: each attribute of the changed object with its old and new value, in the form that
// a resource shows it. `changes` in migrations/0007-delivery.sql renders the same for the log.

import { entryOf } from '../entry-of.ts';
import type { ChangeEvent } from '../events/change-event.ts';
import type { StoredRow } from '../events/stored-row.ts';
import { type ChangeAttribute, changeAttributes } from '../model/change-attributes.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import type { Links } from '../query/view-columns.ts';
import { compileKeyAndSelf } from './render-resource.ts';
import { scalarRenderer } from './render-scalar.ts';

/** Rendered once for each event, however many notifications show it. `types`: as subscribers see them. */
export function renderChanges(event: ChangeEvent, types: Model['types'], links: Links): string {
  return entryOf(rendered, event, () => renderEvent(event, types.get(event.type.name)!, links));
}

const rendered = new WeakMap<ChangeEvent, string>();

function renderEvent(event: ChangeEvent, type: ObjectType, links: Links): string {
  const start = `{"objectType":${JSON.stringify(type.name)},"objectKey":${event.key},"attribute":`;
  const changed = changedAttributes(event, type, links);
  return `[${changed.map(({ name, old, new: now }) => `${start}${name},"old":${old},"new":${now}}`).join(',')}]`;
}

/** All three are JSON. */
export interface ChangedAttribute {
  name: string;
  old: string;
  new: string;
}

/** `type`: the type of the changed object, as the reader sees it. */
export function changedAttributes({ oldRow, newRow }: ChangeEvent, type: ObjectType, links: Links): ChangedAttribute[] {
  const changed: ChangedAttribute[] = [];
  for (const attribute of entryOf(attributesOfTypes, type, () => changeAttributes(type))) {
    const { column, name } = attribute;
    if (oldRow && newRow && oldRow[column] === newRow[column]) continue;
    const render = rendererOf(attribute, links);
    const [before, after] = [oldRow ? render(oldRow) : 'null', newRow ? render(newRow) : 'null'];
    if (before !== after) changed.push({ name: JSON.stringify(name), old: before, new: after });
  }
  return changed;
}

const attributesOfTypes = new WeakMap<ObjectType, readonly ChangeAttribute[]>();

function rendererOf(attribute: ChangeAttribute, links: Links): (row: StoredRow) => string {
  return attribute.kind === 'reference' ? compileKeyAndSelf(attribute, '', links) : scalarRenderer(attribute, '');
}
