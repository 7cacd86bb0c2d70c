// The period that the list shows: up to now, or from one time to another, in the zone of the user.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { TextField } from '../../elements/field.tsx';
import { place, setQuery } from '../../routing/location.ts';
import { periods } from './notification-filters.ts';

export function TimeEditor({ onDone }: { onDone(): void }) {
  const { query } = place.peek();
  const [from, setFrom] = useState(toLocal(query.get('from')));
  const [to, setTo] = useState(toLocal(query.get('to')));
  const choose = (last: string) => {
    setQuery({ last, from: undefined, to: undefined });
    onDone();
  };
  const chooseRange = () => {
    setQuery({ last: undefined, from: fromLocal(from), to: fromLocal(to) });
    onDone();
  };
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        chooseRange();
      }}
    >
      <div class="actions">
        {Object.entries(periods).map(([name, { words }]) => (
          <Button key={name} onClick={() => choose(name)} pressed={query.get('last') === name}>
            {words}
          </Button>
        ))}
      </div>
      <TextField label="From" type="datetime-local" value={from} onInput={setFrom} />
      <TextField label="To" type="datetime-local" value={to} onInput={setTo} />
      <Button type="submit" kind="primary" onClick={() => undefined}>
        Show this period
      </Button>
    </form>
  );
}

/** As a field of the browser has it: local time without a zone. */
function toLocal(at: string | null): string {
  if (at === null || Number.isNaN(Date.parse(at))) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function fromLocal(text: string): string | undefined {
  return text === '' || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();
}
