// The filters of the list as chips, and a menu that adds one. All are in the address.

import { useState } from 'preact/hooks';
import { Popover } from '../../elements/popover.tsx';
import { localTime } from '../../elements/time.tsx';
import { place, setQuery } from '../../routing/location.ts';
import { FilterEditor, type FilterKind, filterKinds } from './filter-editor.tsx';
import { filterParameters, operationWords, periods, readFilters, statusWords } from './notification-filters.ts';
import { useSubscriptionNames } from './subscription-names.ts';

export function FilterBar() {
  const filters = readFilters(place.value.query);
  const names = useSubscriptionNames(filters.subscriptions);
  const { statuses, subscriptions, types, operations, objects, codes, sequence, error, last, from, to } = filters;
  const objectWords = [
    ...objects.map(({ type, key }) => `${type ?? ''} ${key}`.trim()),
    ...codes.map((code) => `“${code}”`),
  ];
  const time = last ? periods[last]!.words : rangeText(from, to);
  return (
    <div class="filter-bar" role="group" aria-label="Filters">
      <Chip kind="status" values={statuses.map((status) => statusWords[status]!)} />
      <Chip kind="subscription" values={subscriptions.map((key) => names.get(key) ?? String(key))} />
      <Chip kind="type" values={types} />
      <Chip kind="operation" values={operations.map((operation) => operationWords[operation]!)} />
      <Chip kind="object" values={objectWords} />
      <Chip kind="change" values={sequence === undefined ? [] : [String(sequence)]} />
      <Chip kind="error" values={error === '' ? [] : [`“${error}”`]} />
      <Chip kind="time" values={time === '' ? [] : [time]} />
      <NewFilter />
      <Popover kind="quiet" label="Find an object" button="⌕ Find an object" openKey="/">
        {(close) => <FilterEditor kind="object" onDone={close} />}
      </Popover>
      {filterParameters.some((name) => place.value.query.has(name)) && (
        <button type="button" class="button quiet" onClick={() => setQuery(withoutFilters())}>
          Clear
        </button>
      )}
    </div>
  );
}

function withoutFilters(): Record<string, undefined> {
  return Object.fromEntries(filterParameters.map((name) => [name, undefined]));
}

/** The chip opens the editor of its filter. */
function Chip({ kind, values }: { kind: FilterKind; values: readonly string[] }) {
  if (values.length === 0) return null;
  const { title, parameters } = filterKinds[kind];
  const text = `${title}: ${values.join(' or ')}`;
  return (
    <span class="filter-chip">
      <Popover kind="chip" label={`Filter: ${text}`} button={<span class="chip-text">{text}</span>}>
        {(close) => <FilterEditor kind={kind} onDone={close} />}
      </Popover>
      <button
        type="button"
        class="chip-remove"
        aria-label={`Remove the filter ${title}`}
        title="Remove"
        onClick={() => setQuery(Object.fromEntries(parameters.map((name) => [name, undefined])))}
      >
        ×
      </button>
    </span>
  );
}

function NewFilter() {
  return (
    <Popover kind="quiet" label="Add a filter" button="+ Filter">
      {(close) => <KindThenEditor onDone={close} />}
    </Popover>
  );
}

function KindThenEditor({ onDone }: { onDone(): void }) {
  const [kind, setKind] = useState<FilterKind | undefined>(undefined);
  if (kind) return <FilterEditor kind={kind} onDone={onDone} />;
  return (
    <ul class="menu-list">
      {(Object.keys(filterKinds) as FilterKind[]).map((each) => (
        <li key={each}>
          <button type="button" class="menu-entry" onClick={() => setKind(each)}>
            {filterKinds[each].title}
            <span class="faint"> {filterKinds[each].hint}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function rangeText(from: string | undefined, to: string | undefined): string {
  const text = (at: string) => localTime(new Date(at));
  if (from && to) return `${text(from)} – ${text(to)}`;
  if (from) return `since ${text(from)}`;
  return to ? `until ${text(to)}` : '';
}
