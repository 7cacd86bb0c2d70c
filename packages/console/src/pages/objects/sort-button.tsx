// The head of a column. A click sorts by it, a second one the other way round, a third one not at all.

import type { ModelAttribute } from '../../model/model.ts';
import { place, setQuery } from '../../routing/location.ts';

export function SortButton({ attribute: { name, isSortable } }: { attribute: ModelAttribute }) {
  const sort = place.value.query.get('sort');
  const direction = sort === `${name}(ASI)` ? '↑' : sort === `${name}(DSI)` ? '↓' : '';
  if (!isSortable) return <span>{name}</span>;
  const next = direction === '' ? `${name}(ASI)` : direction === '↑' ? `${name}(DSI)` : undefined;
  return (
    <button
      type="button"
      class="sort"
      aria-label={`Sort by ${name}${direction === '' ? '' : direction === '↑' ? ', now ascending' : ', now descending'}`}
      onClick={() => setQuery({ sort: next })}
    >
      {name} {direction}
    </button>
  );
}
