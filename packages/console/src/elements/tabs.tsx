// Tabs whose choice is in the address.

import { useRef } from 'preact/hooks';
import { place, setQuery } from '../routing/location.ts';

interface TabsProps {
  label: string;
  /** The first is chosen if the address names none. */
  tabs: readonly { id: string; title: string }[];
  /** The parameter of the address. */
  parameter?: string;
}

export function chosenTab(tabs: readonly { id: string }[], parameter = 'tab'): string {
  const chosen = place.value.query.get(parameter);
  return tabs.find(({ id }) => id === chosen)?.id ?? tabs[0]!.id;
}

export function Tabs({ label, tabs, parameter = 'tab' }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const chosen = chosenTab(tabs, parameter);
  const choose = (id: string) => setQuery({ [parameter]: id === tabs[0]!.id ? undefined : id }, { replace: true });
  const move = (by: number) => {
    const index = tabs.findIndex(({ id }) => id === chosen);
    const next = (index + by + tabs.length) % tabs.length;
    choose(tabs[next]!.id);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => choose(id)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') move(1);
            if (event.key === 'ArrowLeft') move(-1);
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
