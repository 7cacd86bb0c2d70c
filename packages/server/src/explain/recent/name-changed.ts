// Names changed objects for people: by what identifies an object of the type, such as its code and name, in the state
// that the change shows.

import { printable } from '@flaghoist/source-text';
import type { ChangeEvent } from '../../events/change-event.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import { isKeyOrSelf, referenceView } from '../../query/view.ts';
import type { Links } from '../../query/view-columns.ts';
import { renderResource } from '../../render/render-resource.ts';
import type { LoadingParts } from '../../snapshots/load-rows.ts';
import { loadStates } from '../../snapshots/load-states.ts';

export interface NamingParts extends LoadingParts {
  links: Links;
  /** As subscribers see them. */
  types: Model['types'];
}

/** Null for an object that nothing but its key identifies. */
export async function nameChanged(
  events: readonly ChangeEvent[],
  { links, types, ...loading }: NamingParts,
): Promise<ReadonlyMap<ChangeEvent, string | null>> {
  const wanted = events.flatMap((event) => {
    const type = types.get(event.type.name);
    return type && isNamed(type) ? [{ event, key: event.key, side: shownSide(event), view: referenceView(type) }] : [];
  });
  const stateOf = await loadStates(wanted, loading);
  const names = new Map(events.map((event): [ChangeEvent, string | null] => [event, null]));
  for (const { event, key, side, view } of wanted) {
    const shown = renderResource(stateOf(event, key, side), view, key, links, renderedMax);
    names.set(event, shown === undefined ? null : nameOf(JSON.parse(shown)));
  }
  return names;
}

const nameMax = 100;
const renderedMax = 10_000;

function isNamed(type: ObjectType): boolean {
  return referenceView(type).items.some(({ attribute }) => !isKeyOrSelf(attribute));
}

function shownSide({ operation }: ChangeEvent): 'before' | 'after' {
  return operation === 'D' ? 'before' : 'after';
}

function nameOf(shown: unknown): string | null {
  const name = printable([...textsIn(shown)].join(' '));
  if (name === '') return null;
  return name.length <= nameMax ? name : `${name.slice(0, nameMax - 1)}…`;
}

function* textsIn(value: unknown): Generator<string> {
  if (value === null || value === '') return;
  if (typeof value !== 'object') yield String(value);
  else
    for (const [name, member] of Object.entries(value)) if (name !== 'key' && name !== 'self') yield* textsIn(member);
}
