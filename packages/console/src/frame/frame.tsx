// The frame around every page: the rail on the left, the bar at the top, and the environment, which is always visible.

import { useState } from 'preact/hooks';
import { OpenQuestion } from '../elements/dialog.tsx';
import { Notices } from '../elements/notices.tsx';
import { useKeys } from '../keys/shortcuts.ts';
import { navigate } from '../routing/location.ts';
import { hasScope, session } from '../session/session.ts';
import { viewedUser } from '../session/viewed-user.ts';
import { CurrentPage } from './current-page.tsx';
import { KeyList } from './key-list.tsx';
import { LiveMark } from './live-mark.tsx';
import { rail } from './page-table.ts';
import { Rail } from './rail.tsx';

export function Frame() {
  const [showsKeys, setShowsKeys] = useState(false);
  useKeys({
    '?': () => setShowsKeys(true),
    '/': () => document.querySelector<HTMLInputElement>('input[type="search"]')?.focus(),
    ...Object.fromEntries(
      rail.filter(({ scope }) => hasScope(scope)).map(({ key, path }) => [`g ${key}`, () => navigate(path)]),
    ),
  });
  const isProduction = session.value?.environment === 'PRODUCTION';
  return (
    <div class={isProduction ? 'frame production' : 'frame'}>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <Rail />
      <div class="main">
        <ViewedUser />
        <LiveMark />
        <main id="page">
          <CurrentPage />
        </main>
      </div>
      {showsKeys && <KeyList onClose={() => setShowsKeys(false)} />}
      <OpenQuestion />
      <Notices />
    </div>
  );
}

function ViewedUser() {
  if (!viewedUser.value) return null;
  return (
    <div class="viewed-user" role="status">
      You see what {viewedUser.value.name} sees. Nothing can be changed.
      <button
        type="button"
        class="button quiet"
        onClick={() => {
          viewedUser.value = undefined;
          navigate('/');
        }}
      >
        Back to my own view
      </button>
    </div>
  );
}
