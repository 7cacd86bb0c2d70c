// A browser with the console open, as far as the session goes: it keeps cookies and sends the headers of the page. What
// it is given is planted when the tests are done, so that no table and no log may hold it.

import { afterAll, expect } from 'vitest';
import { administrator, type Credentials } from '../support/access.ts';
import type { Answer, TestService } from '../support/test-service.ts';

export const sessionPath = '/console/session';
export const renewalPath = '/console/session/renewal';

type Headers = Record<string, string>;

export class Browser {
  readonly #url: () => string;
  readonly #keep: (secret: string) => void;
  readonly cookies = new Map<string, string>();

  constructor(url: () => string, keep: (secret: string) => void = () => undefined) {
    this.#url = url;
    this.#keep = keep;
  }

  /** With the same cookies as now, and from then on with its own: a thief. */
  copy(url = this.#url): Browser {
    const copy = new Browser(url, this.#keep);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  get cookie(): string | undefined {
    return this.cookies.get('flaghoist-console');
  }

  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#url()}${path}`, {
      method,
      headers: {
        'flaghoist-console': '1',
        'sec-fetch-site': 'same-origin',
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) this.#store(line);
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parse(text) };
    if (typeof answer.body?.token === 'string') this.#keep(answer.body.token.split('.')[2]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return answer;
  }

  methods(): Promise<Answer> {
    return this.send('GET', sessionPath);
  }

  signIn(body: unknown, headers?: Headers): Promise<Answer> {
    return this.send('POST', sessionPath, body, headers);
  }

  renew(): Promise<Answer> {
    return this.send('POST', renewalPath);
  }

  signOut(): Promise<Answer> {
    return this.send('DELETE', sessionPath);
  }

  #store(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair)!;
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else {
      this.cookies.set(name, value);
      // Of a session cookie, the id alone is no secret.
      this.#keep(value.split('.').at(-1)!);
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
function parse(text: string): any {
  return text.startsWith('{') ? JSON.parse(text) : text;
}

export interface Browsers {
  open(url?: () => string): Browser;
  /** Signed in with id and secret. */
  signedIn(client?: Credentials): Promise<Browser>;
}

/** To be called at the top of a test file, after `useTestService`. */
export function useBrowsers(service: TestService): Browsers {
  const seen = new Set<string>();
  afterAll(() => {
    for (const secret of seen) service.secrets.plant('a cookie or token of the console', secret);
  });
  const open = (url = service.url) => new Browser(url, (secret) => seen.add(secret));
  return {
    open,
    async signedIn({ clientId, clientSecret } = administrator) {
      const browser = open();
      const answer = await browser.signIn({ clientId, clientSecret });
      expect(answer.status, answer.text).toBe(200);
      return browser;
    },
  };
}

/** As if this time had passed since the last renewal. */
export async function pass(service: TestService, { cookie = '' }: Browser, seconds: number): Promise<void> {
  const { rowCount } = await service.database.pool.query(
    `update flaghoist_system.console_session set cookie_at = cookie_at - make_interval(secs => $2),
       renewed_at = renewed_at - make_interval(secs => $2)
     where id = $1`,
    [sessionIdOf(cookie), seconds],
  );
  expect(rowCount).toBe(1);
}

export function sessionIdOf(cookie: string): string {
  return /^fhc_([\w-]{22})\./.exec(cookie)![1]!;
}
