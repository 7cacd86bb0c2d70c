// The rail: the pages that the user may see, who is signed in, and the environment.

import { Button } from '../elements/button.tsx';
import { density } from '../looks/density.ts';
import { theme } from '../looks/theme.ts';
import { Link } from '../routing/link.tsx';
import { place } from '../routing/location.ts';
import { hasScope, session, signOut } from '../session/session.ts';
import { type RailEntry, rail } from './page-table.ts';

export function Rail() {
  const allowed = rail.filter(({ scope }) => hasScope(scope));
  return (
    <nav class="rail" aria-label="Pages">
      <Link to="/" class="brand">
        <img src={flag} alt="" width="20" height="20" />
        <span>Flaghoist</span>
      </Link>
      <ul>{allowed.filter(({ isSecond }) => !isSecond).map(showEntry)}</ul>
      <ul class="second">{allowed.filter(({ isSecond }) => isSecond).map(showEntry)}</ul>
      <Account />
    </nav>
  );
}

const flag = document.querySelector<HTMLLinkElement>('link[rel="icon"]')!.href;

function showEntry({ path, title, icon, key }: RailEntry) {
  const isCurrent = path === '/' ? place.value.path === '/' : `${place.value.path}/`.startsWith(`${path}/`);
  return (
    <li key={path}>
      <Link to={path} aria-current={isCurrent ? 'page' : undefined} title={`${title} (g ${key})`}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d={icon} fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" />
        </svg>
        <span>{title}</span>
      </Link>
    </li>
  );
}

function Account() {
  const current = session.value;
  if (!current) return null;
  const { user, environment, version } = current;
  return (
    <details class="account">
      <summary>
        <span class={`environment ${environment.toLowerCase()}`}>{environment.toLowerCase()}</span>
        <span class="who">{user.name || user.userCode}</span>
      </summary>
      <div class="account-menu">
        <p class="faint">
          {user.userCode}, edition {user.edition.toLowerCase()}. Flaghoist {version}.
        </p>
        <label>
          Theme{' '}
          <select
            value={theme.value}
            onChange={(event) => {
              theme.value = event.currentTarget.value as typeof theme.value;
            }}
          >
            <option value="system">As the system</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <label>
          Rows{' '}
          <select
            value={density.value}
            onChange={(event) => {
              density.value = event.currentTarget.value as typeof density.value;
            }}
          >
            <option value="compact">Compact</option>
            <option value="comfortable">Comfortable</option>
          </select>
        </label>
        <Button onClick={signOut}>Sign out</Button>
      </div>
    </details>
  );
}
