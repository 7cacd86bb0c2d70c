// Headers that are sent along. Their values are never shown again: `***` stands for a value that stays.

import { Button } from '../../../../elements/button.tsx';
import type { HeaderRow } from '../../draft/draft.ts';
import type { EditorForm } from '../../draft/form.ts';

export const hiddenValue = '***';

export function HeaderFields({ form: { draft, change, errorOf } }: { form: EditorForm }) {
  const setRow = (index: number, row: HeaderRow | undefined) =>
    change({ headers: draft.headers.flatMap((each, at) => (at === index ? (row ?? []) : each)) });
  const error = errorOf('headers', true);
  return (
    <fieldset class="headers">
      <legend>Headers</legend>
      {draft.headers.map((row, index) => (
        <div key={index} class="header-row">
          <input
            class="mono"
            aria-label="Header"
            placeholder="X-Api-Key"
            spellcheck={false}
            autocomplete="off"
            value={row.name}
            onInput={(event) => setRow(index, { ...row, name: event.currentTarget.value })}
          />
          <input
            class="mono"
            type="password"
            autocomplete="new-password"
            aria-label={`Value of ${row.name || 'the header'}`}
            aria-invalid={errorOf(`headers.${row.name}`) !== undefined}
            placeholder={row.value === hiddenValue ? 'stays as it is' : 'value'}
            value={row.value === hiddenValue ? '' : row.value}
            onInput={(event) => setRow(index, { ...row, value: event.currentTarget.value })}
          />
          <Button kind="quiet" label={`Remove ${row.name || 'the header'}`} onClick={() => setRow(index, undefined)}>
            ×
          </Button>
        </div>
      ))}
      {error && <p class="field-error">{error}</p>}
      <Button kind="quiet" onClick={() => change({ headers: [...draft.headers, { name: '', value: '' }] })}>
        + Header
      </Button>
    </fieldset>
  );
}
