// Who is signed in. The token stays in the memory of the page. An HttpOnly cookie, which no script can read, renews it.

import { computed, signal } from '@preact/signals';
import { consolePath } from '../base-path.ts';
import { navigate, withQuery } from '../routing/location.ts';
import { viewedUser } from './viewed-user.ts';

export interface SessionUser {
  key: number;
  userCode: string;
  name: string;
  edition: string;
}

/** What `/console/session` answers. */
export interface Session {
  token: string;
  expiresIn: number;
  user: SessionUser;
  client: string | null;
  scopes: string[];
  environment: string;
  version: string;
}

export interface SignInMethods {
  methods: string[];
  environment: string;
  version: string;
  /** Whether this browser may have a session that can be renewed. */
  hasSession: boolean;
}

export type SessionState =
  | { kind: 'starting' }
  | { kind: 'signedOut'; methods: SignInMethods | undefined; message: string | undefined }
  | { kind: 'signedIn'; session: Session };

export const sessionState = signal<SessionState>({ kind: 'starting' });

/** Undefined while nobody is signed in. */
export const session = computed(() =>
  sessionState.value.kind === 'signedIn' ? sessionState.value.session : undefined,
);

/**
 * Whether the user may do what needs a scope. `write` includes `read`, `admin` includes everything. Without `read`,
 * `webhook` allows nothing. In the view of another user, that one counts.
 */
export function hasScope(scope: 'read' | 'write' | 'webhook' | 'admin'): boolean {
  const scopes = viewedUser.value?.scopes ?? session.value?.scopes ?? [];
  if (scopes.includes('admin')) return true;
  const mayRead = scopes.includes('read') || scopes.includes('write');
  return scope === 'read' ? mayRead : scopes.includes(scope) && mayRead;
}

/** A refused sign-in, in words for the person who tried. */
export class SignInError extends Error {}

class Unreachable extends SignInError {}

async function send(path: string, method: string, body?: unknown): Promise<Response> {
  return fetch(`${consolePath}/session${path}`, {
    method,
    credentials: 'same-origin',
    headers: { 'flaghoist-console': '1', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Unreachable('The service does not respond. Check your network, and try again.');
  });
}

async function readSession(response: Response): Promise<Session> {
  if (response.ok) return (await response.json()) as Session;
  const error = (await response.json().catch(() => undefined)) as { message?: string } | undefined;
  throw new SignInError(error?.message ?? `The service answered ${response.status}. Try again later.`);
}

/** What a person signs in with. */
export type Credentials =
  | { clientId: string; clientSecret: string }
  | { code: string }
  | { authorizationCode: string; state: string };

export async function signIn(credentials: Credentials): Promise<void> {
  begin(await readSession(await send('', 'POST', credentials)));
}

function begin(value: Session): void {
  sessionState.value = { kind: 'signedIn', session: value };
  renewBefore(value.expiresIn);
}

let renewal: Promise<boolean> | undefined;

/** One renewal at a time. False: the session is over, and the page shows the sign-in. */
export function renew(): Promise<boolean> {
  renewal ??= renewOnce().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function renewOnce(): Promise<boolean> {
  const response = await send('/renewal', 'POST');
  if (response.status === 401 || response.status === 403) {
    const wasSignedIn = sessionState.peek().kind === 'signedIn';
    await showSignIn(wasSignedIn ? 'Your session has ended. Sign in again.' : undefined);
    return false;
  }
  begin(await readSession(response));
  return true;
}

let timer: ReturnType<typeof setTimeout> | undefined;

function renewBefore(expiresIn: number): void {
  clearTimeout(timer);
  const inMs = Math.min(Math.max(expiresIn * 750, 5_000), longestTimerMs);
  timer = setTimeout(() => {
    renew().catch(() => renewBefore(retryRenewalSeconds));
  }, inMs);
}

const longestTimerMs = 12 * 3_600_000;
const retryRenewalSeconds = 20;

export async function showSignIn(message?: string): Promise<void> {
  clearTimeout(timer);
  const methods = await readMethods();
  sessionState.value = { kind: 'signedOut', methods, message };
}

async function readMethods(): Promise<SignInMethods | undefined> {
  try {
    const response = await send('', 'GET');
    return response.ok ? ((await response.json()) as SignInMethods) : undefined;
  } catch {
    return undefined;
  }
}

/** The page is loaded again, so that nothing of the user stays in its memory. */
export async function signOut(): Promise<void> {
  const response = await send('', 'DELETE');
  if (!response.ok)
    throw new SignInError(`The service answered ${response.status}: you are still signed in. Try again.`);
  window.sessionStorage.setItem(signedOutItem, 'yes');
  window.location.reload();
}

const signedOutItem = 'flaghoist-signed-out';

function takeSignedOut(): string | undefined {
  const isSignedOut = window.sessionStorage.getItem(signedOutItem) !== null;
  window.sessionStorage.removeItem(signedOutItem);
  return isSignedOut ? 'You are signed out.' : undefined;
}

/** The address of the external issuer where the user signs in. From there, the page returns to the present path. */
export async function authorizationUrl(): Promise<string> {
  const response = await send('/authorization', 'POST');
  const answer = (await response.json().catch(() => undefined)) as { message?: string; url: string } | undefined;
  if (!response.ok || !answer)
    throw new SignInError(answer?.message ?? 'The sign-in could not be started. Try again later.');
  window.sessionStorage.setItem(returnItem, withQuery({}));
  return answer.url;
}

const returnItem = 'flaghoist-return-to';

/** The issuer returns to the overview. Nothing of its answer stays in the address. */
function returnFromIssuer(): void {
  const path = window.sessionStorage.getItem(returnItem);
  window.sessionStorage.removeItem(returnItem);
  navigate(path ?? '/', { replace: true });
}

/** Kept until the service has answered. */
let credentials: Credentials | undefined;

/** At the start of the page: by a one-time link, the answer of the issuer, or the cookie. */
export async function startSession(): Promise<void> {
  const message = takeSignedOut() ?? takeRefusal();
  credentials ??= takeCredentials();
  try {
    if (credentials) await signIn(credentials);
    else if ((await readMethods())?.hasSession) await renew();
    else await showSignIn(message);
    credentials = undefined;
  } catch (error) {
    if (!(error instanceof Unreachable)) credentials = undefined;
    await showSignIn(error instanceof Error ? error.message : String(error));
  }
}

/** A one-time link that is pasted into this page changes the address only. */
window.addEventListener('hashchange', () => {
  if (new URLSearchParams(window.location.hash.slice(1)).has('code')) window.location.reload();
});

/** What the issuer answers instead of a code (RFC 6749 §4.1.2.1). Its description could be anybody's text. */
function takeRefusal(): string | undefined {
  const query = new URLSearchParams(window.location.search);
  const error = query.get('error') ?? '';
  if (!query.has('state') || !/^[a-z_]{1,60}$/.test(error)) return undefined;
  returnFromIssuer();
  return `The issuer refused the sign-in: ${error}. Try again.`;
}

/** They work once. They are removed from the address, so that they stay in no history. */
function takeCredentials(): Credentials | undefined {
  const { hash, search, pathname } = window.location;
  const code = new URLSearchParams(hash.slice(1)).get('code');
  const query = new URLSearchParams(search);
  const [authorizationCode, state] = [query.get('code'), query.get('state')];
  if (code) {
    window.history.replaceState(null, '', pathname + search);
    return { code };
  }
  if (!authorizationCode || !state) return undefined;
  returnFromIssuer();
  return { authorizationCode, state };
}
