// Gets tokens as any integration would, with a client's id and secret, and keeps them until shortly before they expire.
// If the client is refused a token, the demo ends, because no request would be accepted.

import { OperatorError } from '../errors.ts';
import { type Away, judgeAway, noConnection } from './service-away.ts';

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  audience: string;
}

export interface TokenSourceOptions {
  baseUrl: string;
  credentials: ClientCredentials;
  signal: AbortSignal;
}

export interface Token {
  kind: 'token';
  text: string;
  /** By `performance.now()`. */
  renewAt: number;
}

export class TokenSource {
  readonly #options: TokenSourceOptions;
  #token: Token | undefined;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  async current(): Promise<Token | Away> {
    if (this.#token && performance.now() < this.#token.renewAt) return this.#token;
    const answer = settle(await attemptToken(this.#options), this.#options);
    this.#token = answer.kind === 'token' ? answer : undefined;
    return answer;
  }

  /** Called when the service no longer accepts the token. */
  forget({ text }: Token): void {
    if (this.#token?.text === text) this.#token = undefined;
  }
}

interface Refused {
  kind: 'refused';
  status: number;
  error: string;
  description: string;
}

async function attemptToken({ baseUrl, credentials, signal }: TokenSourceOptions): Promise<Token | Away | Refused> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
    audience: credentials.audience,
  });
  try {
    const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body, signal });
    return (await judgeAway(response)) ?? (await understand(response));
  } catch (error) {
    if (signal.aborted) throw error;
    return noConnection;
  }
}

async function understand(response: Response): Promise<Token | Refused> {
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.ok) {
    const lifetimeMs = Number(answer.expires_in) * 1000;
    return { kind: 'token', text: String(answer.access_token), renewAt: performance.now() + lifetimeMs * usedShare };
  }
  return {
    kind: 'refused',
    status: response.status,
    error: String(answer.error),
    description: String(answer.error_description),
  };
}

/** A token is renewed well before it expires, so that no request arrives with a token that has just expired. */
const usedShare = 0.8;

function settle(answer: Token | Away | Refused, { baseUrl, credentials }: TokenSourceOptions): Token | Away {
  if (answer.kind !== 'refused') return answer;
  if (answer.status === 404)
    throw new OperatorError(
      `The service at ${baseUrl} gives no tokens itself: it takes those of an external issuer, where the demo cannot get any.`,
    );
  const client = `The service at ${baseUrl} gives the client ${credentials.clientId} no token`;
  throw new OperatorError(`${client}: ${answer.description} ${remedies[answer.error] ?? ''}`.trim());
}

const remedies: Record<string, string> = {
  invalid_client:
    'Is it a client of that service, and has its secret not been replaced since, for instance by another demo?',
  access_denied:
    'Set FLAGHOIST_ENVIRONMENT, FLAGHOIST_AUDIENCE_TEST and FLAGHOIST_AUDIENCE_PRODUCTION as the service has them.',
};
