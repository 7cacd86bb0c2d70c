// Names changed objects for people: by what identifies an object of the type, such as its code and name, in the state
// that the change shows.

import type { ChangeEvent } from '../../events/change-event.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import { referenceView } from '../../query/view.ts';
import type { Links } from '../../query/view-columns.ts';
import { type NamedObject, nameObject } from '../../render/name-object.ts';
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
    return type && isNamed(type)
      ? [{ event, type, key: event.key, side: shownSide(event), view: referenceView(type) }]
      : [];
  });
  const stateOf = await loadStates(wanted, loading);
  const names = new Map(events.map((event): [ChangeEvent, string | null] => [event, null]));
  for (const { event, type, key, side, view } of wanted) {
    const shown = renderResource(stateOf(event, key, side), view, key, links, renderedMax);
    names.set(event, shown === undefined ? null : nameObject(type, namedJson(JSON.parse(shown))));
  }
  return names;
}

const renderedMax = 10_000;

function isNamed(type: ObjectType): boolean {
  return type.shownBy.length > 0;
}

function shownSide({ operation }: ChangeEvent): 'before' | 'after' {
  return operation === 'D' ? 'before' : 'after';
}

function namedJson(shown: Record<string, unknown>): NamedObject {
  return {
    scalar: ({ name }) => shown[name],
    reference: ({ name }) => (shown[name] ? namedJson(shown[name] as Record<string, unknown>) : undefined),
  };
}
