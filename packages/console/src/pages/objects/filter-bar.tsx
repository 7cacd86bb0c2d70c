// The filters of a list of objects: chips with the syntax of the API, and a form that writes a new one from the model.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import type { ModelAttribute, ModelType } from '../../model/model.ts';
import { place, setQuery } from '../../routing/location.ts';
import { containing, keyOrCode, quoted } from '../../service/filter-value.ts';

export function FilterBar({ type }: { type: ModelType }) {
  const filters = place.value.query.getAll('filter');
  return (
    <>
      {filters.map((filter) => (
        <button
          key={filter}
          type="button"
          class="chip mono"
          title="Remove this filter"
          onClick={() => setQuery({ filter: filters.filter((each) => each !== filter) })}
        >
          {filter} <span aria-hidden="true">×</span>
          <span class="hidden">Remove this filter</span>
        </button>
      ))}
      <NewFilter type={type} onAdd={(filter) => setQuery({ filter: [...filters, filter] })} />
    </>
  );
}

const words: Readonly<Record<string, string>> = {
  EQ: 'is',
  NE: 'is not',
  GT: 'is more than',
  GTE: 'is at least',
  LT: 'is less than',
  LTE: 'is at most',
  IN: 'is one of',
  BETWEEN: 'is between',
  NIN: 'is none of',
  LIKE: 'is like (case matters)',
  ILIKE: 'contains',
  NULL: 'is empty',
  NOTNULL: 'is not empty',
};
/** What a person most often wants comes first. */
function inOrder({ kind, operators = [] }: ModelAttribute): string[] {
  const first = kind === 'text' ? 'ILIKE' : 'EQ';
  return operators.includes(first) ? [first, ...operators.filter((each) => each !== first)] : operators;
}

function NewFilter({ type, onAdd }: { type: ModelType; onAdd(filter: string): void }) {
  const attributes = type.attributes.filter(({ operators }) => operators !== undefined);
  const [name, setName] = useState(type.shownBy[0] ?? 'key');
  const attribute = attributes.find((each) => each.name === name) ?? attributes[0]!;
  const operators = inOrder(attribute);
  const [chosen, setOperator] = useState('');
  const operator = operators.includes(chosen) ? chosen : operators[0]!;
  const [value, setValue] = useState('');
  const needsValue = !operator.endsWith('NULL');
  const add = () => {
    onAdd(`${attribute.name}(${operator})${needsValue ? writeValue(attribute.kind, operator, value) : ''}`);
    setValue('');
  };
  return (
    <details class="menu">
      <summary class="button">+ Filter</summary>
      <form
        class="menu-content"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <select aria-label="Attribute" value={attribute.name} onChange={(event) => setName(event.currentTarget.value)}>
          {attributes.map((each) => (
            <option key={each.name} value={each.name}>
              {each.name}
            </option>
          ))}
        </select>
        <select aria-label="Comparison" value={operator} onChange={(event) => setOperator(event.currentTarget.value)}>
          {operators.map((each) => (
            <option key={each} value={each}>
              {words[each] ?? each}
            </option>
          ))}
        </select>
        {needsValue && <FilterValue kind={attribute.kind} values={attribute.values} value={value} onInput={setValue} />}
        <Button type="submit" onClick={() => undefined} disabled={needsValue && value === ''}>
          Add
        </Button>
      </form>
    </details>
  );
}

interface FilterValueProps {
  kind: string;
  values: string[] | undefined;
  value: string;
  onInput(value: string): void;
}

function FilterValue({ kind, values, value, onInput }: FilterValueProps) {
  const choices = kind === 'boolean' ? ['true', 'false'] : values;
  if (!choices?.length)
    return (
      <input
        aria-label="Value"
        placeholder={kind === 'dateTime' ? '2026-11-30T12:00:00' : 'Value'}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    );
  return (
    <select aria-label="Value" value={value} onChange={(event) => onInput(event.currentTarget.value)}>
      <option value="">Value</option>
      {choices.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

/** Several values have commas between them. */
function writeValue(kind: string, operator: string, value: string): string {
  if (operator === 'ILIKE') return containing(value);
  const write = kind === 'reference' ? keyOrCode : quoted;
  if (!['IN', 'NIN', 'BETWEEN'].includes(operator)) return write(value);
  return `(${value
    .split(',')
    .map((each) => write(each.trim()))
    .join(',')})`;
}
