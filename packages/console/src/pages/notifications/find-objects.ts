// Finds objects by what a person knows of them: a key, or a code, name or number such as that of a voyage.

import { nameOf, type ObjectReference } from '../../elements/object-link.tsx';
import { loadModel, type Model, type ModelType } from '../../model/model.ts';
import { searchFilter } from '../../model/search-filter.ts';
import { request } from '../../service/request.ts';

export interface FoundObject {
  type: string;
  key: number;
  name: string;
}

const foundMax = 4;

/** Only objects whose changes make notifications. */
export async function findObjects(text: string, signal: AbortSignal): Promise<FoundObject[]> {
  const model = await loadModel();
  const found = await Promise.all(
    model.types
      .filter(({ makesEvents, isServiceOwn }) => makesEvents && !isServiceOwn)
      .map(async (type) => {
        const filter = searchFilter(type, text);
        if (!filter) return [];
        const objects = await request<ObjectReference[]>(`/${type.name}`, {
          query: { filter, limit: foundMax, sort: 'key(DS)' },
          fields: nameFields(type, model),
          headers: { nocount: 'YES' },
          signal,
        }).catch(() => []);
        return objects.map((object) => ({ type: type.name, key: object.key, name: nameOf(object) }));
      }),
  );
  return found.flat();
}

/** What identifies the object, and what it refers to, to a person. */
function nameFields(type: ModelType, model: Model): Record<string, unknown> {
  const attributes = new Map(type.attributes.map((attribute) => [attribute.name, attribute]));
  const selection = type.shownBy.map((name) => {
    const { reference } = attributes.get(name) ?? {};
    const shownBy = (reference && model.byName.get(reference)?.shownBy) || [];
    return [name, shownBy.length > 0 ? Object.fromEntries(shownBy.map((each) => [each, '*'])) : '*'];
  });
  return Object.fromEntries(selection);
}
