// A field for a reference: typing searches the objects of its type by key, code or name.

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ModelType } from '../model/model.ts';
import { searchFilter } from '../model/search-filter.ts';
import { request } from '../service/request.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { Field } from './field.tsx';
import { nameOf, type ObjectReference } from './object-link.tsx';

interface ReferenceFieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  /** Undefined: the user may not read the type. Then the key is typed. */
  type: ModelType | undefined;
  /** The key of the object, or empty. */
  value: string;
  onInput(value: string): void;
}

export function ReferenceField({ type, value, onInput, ...field }: ReferenceFieldProps) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const list = useId();
  const found = useLoaded((signal) => findByText(type, typed ?? '', signal), [type?.name, typed]);
  const current = useLoaded((signal) => readName(type, value, signal), [type?.name, value]);
  const choose = (text: string) => {
    setTyped(text);
    const chosen = found.value?.find((object) => optionText(object) === text);
    if (text === '') onInput('');
    else if (chosen) onInput(String(chosen.key));
    else if (/^\d+$/.test(text)) onInput(text);
  };
  return (
    <Field {...field}>
      {(ids) => (
        <>
          <input
            {...ids}
            list={list}
            value={typed ?? current.value ?? value}
            placeholder="Key, code or name"
            autocomplete="off"
            onInput={(event) => choose(event.currentTarget.value)}
          />
          <datalist id={list}>
            {found.value?.map((object) => (
              <option key={object.key} value={optionText(object)} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** Names are not unique, keys are. */
function optionText(object: ObjectReference): string {
  const name = nameOf(object);
  return name === String(object.key) ? name : `${name} (${object.key})`;
}

const foundMax = '20';

async function findByText(type: ModelType | undefined, text: string, signal: AbortSignal): Promise<ObjectReference[]> {
  const filter = type && text !== '' ? searchFilter(type, text) : [];
  if (!type || !filter) return [];
  await new Promise((done) => setTimeout(done, 150));
  if (signal.aborted) return [];
  const fields = Object.fromEntries(type.shownBy.map((name) => [name, '*']));
  const headers = { noCount: 'YES' };
  return request(`/${type.name}`, { query: { filter, limit: foundMax, pageNumber: 1 }, fields, headers, signal });
}

async function readName(type: ModelType | undefined, value: string, signal: AbortSignal): Promise<string> {
  if (!type || !/^\d+$/.test(value)) return value;
  const fields = Object.fromEntries(type.shownBy.map((name) => [name, '*']));
  return optionText(await request<ObjectReference>(`/${type.name}/${value}`, { fields, signal }));
}
