// Where the token of a request comes from: from the caller, or from the token endpoint, where one request at a time
// gets it for all calls that wait.

import { FlaghoistError } from '../flaghoist-error.ts';
import { attempt } from './attempt.ts';
import { type ClientCredentials, type ClientOptions, type Connection, parseServiceUrl } from './client-options.ts';
import { readText } from './read-text.ts';
import { withRetries } from './with-retries.ts';

export interface TokenSource {
  get(): Promise<string>;
  /** Another token after the service has rejected this one; the same if there is no other. */
  replace(rejected: string): Promise<string>;
  /** Whose tokens they are, if that is known. */
  clientId(): Promise<string | undefined>;
}

export function createTokenSource(options: ClientOptions): TokenSource {
  const token = 'token' in options ? options.token : undefined;
  if (!token) return new TokenCache(options as Connection & ClientCredentials);
  const get = async () => (typeof token === 'function' ? token() : token);
  return { get, replace: get, clientId: async () => clientIdOf(await get()) };
}

/** As the service reads it from a JWT, also of an external issuer. The service verifies the token; here it is a hint. */
function clientIdOf(token: string): string | undefined {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const { client_id, azp, appid, sub }: Record<string, string | undefined> = JSON.parse(atob(payload));
    return client_id ?? azp ?? appid ?? sub?.replace(/@clients$/, '');
  } catch {
    return undefined;
  }
}

interface Token {
  value: string;
  /** By `performance.now()`. */
  renewAt: number;
}

/** Metadata or a token. */
const tokenBytesMax = 1024 * 1024;

class TokenCache implements TokenSource {
  readonly #options: Connection & ClientCredentials;
  #audience: string | undefined;
  #token: Token | undefined;
  #pending: Promise<Token> | undefined;

  constructor(options: Connection & ClientCredentials) {
    this.#options = options;
    this.#audience = options.audience;
  }

  async get(): Promise<string> {
    if (this.#token && performance.now() < this.#token.renewAt) return this.#token.value;
    this.#pending ??= this.#fetchToken().finally(() => {
      this.#pending = undefined;
    });
    const { value } = await this.#pending;
    return value;
  }

  async clientId(): Promise<string> {
    return this.#options.clientId;
  }

  replace(rejected: string): Promise<string> {
    if (this.#token?.value === rejected) this.#token = undefined;
    return this.get();
  }

  async #fetchToken(): Promise<Token> {
    const { clientId, clientSecret, scope } = this.#options;
    this.#audience ??= await this.#fetchAudience();
    const { access_token: value, expires_in: seconds } = await this.#send('POST', '/oauth/token', {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      audience: this.#audience,
      ...(scope !== undefined && { scope }),
    });
    if (typeof value !== 'string' || typeof seconds !== 'number')
      throw new FlaghoistError('invalidAnswer', 'The token endpoint did not answer with a token.');
    const lifetimeMs = Math.max(seconds - 60, seconds / 2) * 1000;
    this.#token = { value, renewAt: performance.now() + lifetimeMs };
    return this.#token;
  }

  async #fetchAudience(): Promise<string> {
    const { audience } = await this.#send('GET', '/.well-known/oauth-authorization-server');
    if (typeof audience === 'string') return audience;
    throw new FlaghoistError('invalidRequest', 'The service does not name its audience. Set the option `audience`.');
  }

  #send(method: string, path: string, body?: Record<string, string>): Promise<Record<string, unknown>> {
    const { url, fetch, clientSecret, timeoutMs = 30_000, retries = 3 } = this.#options;
    const request = {
      fetch,
      method,
      url: new URL(parseServiceUrl(url) + path),
      headers: new Headers(body && { 'content-type': 'application/json' }),
      body: body && JSON.stringify(body),
      timeoutMs,
      secret: clientSecret,
    };
    return withRetries(() => attempt(request, readMembers), { retries });
  }
}

async function readMembers(response: Response): Promise<Record<string, unknown>> {
  const text = await readText(response, tokenBytesMax);
  try {
    return { ...JSON.parse(text) };
  } catch {
    const problem = `The token endpoint did not answer with JSON, but with ${response.headers.get('content-type')}.`;
    throw new FlaghoistError('invalidAnswer', `${problem} Is \`url\` the address of Flaghoist?`);
  }
}
