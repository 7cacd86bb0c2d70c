// Which attributes the list shows.

import { Check } from '../../elements/field.tsx';
import type { ModelAttribute, ModelType } from '../../model/model.ts';
import { setQuery } from '../../routing/location.ts';
import { listableAttributes } from './object-columns.tsx';

export function ColumnChoice({ type, shown }: { type: ModelType; shown: readonly ModelAttribute[] }) {
  const names = shown.map(({ name }) => name);
  const choose = (name: string, isChosen: boolean) => {
    const chosen = isChosen ? [...names, name] : names.filter((each) => each !== name);
    setQuery({ columns: chosen.join(',') }, { replace: true });
  };
  return (
    <details class="menu">
      <summary class="button">Columns</summary>
      <div class="menu-content">
        {listableAttributes(type).map(({ name }) => (
          <Check
            key={name}
            label={name}
            isChecked={names.includes(name)}
            onChange={(isChosen) => choose(name, isChosen)}
          />
        ))}
        <button type="button" class="button quiet" onClick={() => setQuery({ columns: undefined })}>
          Default columns
        </button>
      </div>
    </details>
  );
}
