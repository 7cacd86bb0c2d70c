// Chooses an object by its key, code, name or number.

import { useState } from 'preact/hooks';
import { TextField } from '../../elements/field.tsx';
import { Failure } from '../../elements/loading.tsx';
import { place, setQuery } from '../../routing/location.ts';
import { useDebounced } from '../../service/use-debounced.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { findObjects } from './find-objects.ts';

export function ObjectEditor({ onDone }: { onDone(): void }) {
  const [text, setText] = useState('');
  const searched = useDebounced(text.trim(), 250);
  const found = useLoaded(async (signal) => (searched === '' ? [] : findObjects(searched, signal)), [searched]);
  const objects = found.value ?? [];
  const choose = (parameter: 'object' | 'code', value: string) => {
    const others = place
      .peek()
      .query.getAll(parameter)
      .filter((each) => each !== value);
    setQuery({ [parameter]: [...others, value] });
    onDone();
  };
  const isKey = /^[1-9]\d{0,14}$/.test(searched);
  return (
    <>
      <TextField
        label="Key, code, name or number"
        type="search"
        value={text}
        onInput={setText}
        placeholder="1007, CP-13406, Fujairah …"
      />
      {found.kind === 'failed' && <Failure error={found.error} retry={found.reload} />}
      <ul class="menu-list">
        {isKey && objects.every(({ key }) => key !== Number(searched)) && (
          <li>
            <button type="button" class="menu-entry" onClick={() => choose('object', searched)}>
              The key <span class="mono">{searched}</span>
            </button>
          </li>
        )}
        {searched !== '' && (
          <li>
            <button type="button" class="menu-entry" onClick={() => choose('code', searched)}>
              Whatever has the number or code “{searched}”
            </button>
          </li>
        )}
        {objects.map(({ type, key, name }) => (
          <li key={`${type} ${key}`}>
            <button type="button" class="menu-entry" onClick={() => choose('object', `${type}:${key}`)}>
              {type} {name} <span class="faint mono">{key}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
