// The views of the list as links, and a way to save the present filters as one.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { copyText } from '../../elements/copied.tsx';
import { TextField } from '../../elements/field.tsx';
import { notify } from '../../elements/notices.tsx';
import { Popover } from '../../elements/popover.tsx';
import { Link } from '../../routing/link.tsx';
import { hrefOf, place } from '../../routing/location.ts';
import { builtInViews, removeView, type SavedView, savedViews, saveView, viewQuery } from './saved-views.ts';

export function ViewBar() {
  const present = viewQuery(place.value.query);
  const views = [...builtInViews, ...savedViews.value];
  const own = savedViews.value.find(({ query }) => query === present);
  return (
    <nav class="view-bar" aria-label="Views">
      {views.map((view) => (
        <Link
          key={view.name}
          to={view.query === '' ? '/notifications' : `/notifications?${view.query}`}
          aria-current={view.query === present ? 'true' : undefined}
        >
          {view.name}
        </Link>
      ))}
      {!views.some(({ query }) => query === present) && <NewView query={present} />}
      {own && <OwnView view={own} />}
    </nav>
  );
}

function NewView({ query }: { query: string }) {
  const [name, setName] = useState('');
  return (
    <Popover kind="quiet" label="Save as view" button="Save as view">
      {(close) => (
        <form
          class="filter-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '') return;
            saveView({ name: name.trim().slice(0, 60), query });
            close();
          }}
        >
          <TextField
            label="Name of the view"
            value={name}
            onInput={setName}
            isRequired
            hint="It stays in this browser. Share it by its link."
          />
          <Button type="submit" kind="primary" onClick={() => undefined}>
            Save
          </Button>
        </form>
      )}
    </Popover>
  );
}

function OwnView({ view }: { view: SavedView }) {
  const remove = () => {
    removeView(view);
    notify(`The view “${view.name}” is removed.`, { label: 'Undo', run: () => saveView(view) });
  };
  const address = new URL(hrefOf(`/notifications?${view.query}`), window.location.href).href;
  return (
    <>
      <Button kind="quiet" onClick={() => copyText(address, 'The link is copied.')}>
        Copy link
      </Button>
      <Button kind="quiet" onClick={remove}>
        Remove view
      </Button>
    </>
  );
}
