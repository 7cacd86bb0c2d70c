// A search across all types: by key, or by the attributes that identify an object to a person.

import { Empty, Loading } from '../../elements/loading.tsx';
import { nameOf, ObjectLink, type ObjectReference } from '../../elements/object-link.tsx';
import type { Model, ModelType } from '../../model/model.ts';
import { searchFilter } from '../../model/search-filter.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';

interface Found {
  type: ModelType;
  objects: ObjectReference[];
}

const foundMax = '6';

export function FoundObjects({ model, text }: { model: Model; text: string }) {
  const loaded = useLoaded((signal) => findObjects(model, text, signal), [model, text]);
  return (
    <Loading of={loaded}>
      {(found) =>
        found.length === 0 ? (
          <Empty>No object has this key, code, name or number.</Empty>
        ) : (
          <ul class="types">
            {found.map(({ type, objects }) => (
              <li key={type.name}>
                <span class="type-name">{type.name}</span>
                <ul>
                  {objects.map((object) => (
                    <li key={object.key}>
                      <ObjectLink type={type.name} object={object} />{' '}
                      {nameOf(object) !== String(object.key) && object.key}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        )
      }
    </Loading>
  );
}

async function findObjects(model: Model, text: string, signal: AbortSignal): Promise<Found[]> {
  await new Promise((done) => setTimeout(done, 200));
  if (signal.aborted) return [];
  const types = model.types.filter(({ isServiceOwn, owner }) => !isServiceOwn && owner === undefined);
  const found = await Promise.all(
    types.map(async (type) => {
      const filter = searchFilter(type, text);
      if (!filter) return { type, objects: [] };
      const fields = Object.fromEntries(type.shownBy.map((name) => [name, '*']));
      const query = { filter, limit: foundMax, pageNumber: 1 };
      const headers = { noCount: 'YES' };
      return { type, objects: await request<ObjectReference[]>(`/${type.name}`, { query, fields, headers, signal }) };
    }),
  );
  return found.filter(({ objects }) => objects.length > 0);
}
