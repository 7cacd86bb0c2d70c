// What the sign-in to the console and its sessions need, and what they answer.

import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Edition } from '../../model/editions.ts';
import { scopes as allScopes, type Scope } from '../../model/scopes.ts';
import type { Observe, SignInMethod } from '../../observe/observation.ts';
import type { AccessDirectory } from '../directory/access-directory.ts';
import type { Grant } from '../directory/grant.ts';
import type { Encryption } from '../encryption/encryption.ts';
import type { TokenThrottle } from '../token-endpoint/token-throttle.ts';
import type { SessionCookie } from './session-cookie.ts';

export interface ConsoleParts {
  database: Database;
  directory: AccessDirectory;
  encryption: Encryption;
  throttle: TokenThrottle;
  audience: string;
  clock: Clock;
  observe: Observe;
  /** How long a session lasts after its last renewal. */
  sessionSeconds: number;
  /** How to sign in to this installation. */
  methods: readonly SignInMethod[];
  tokens: SessionTokens;
  /** Undefined: people do not sign in at an external issuer. */
  issuer: IssuerSignIn | undefined;
}

/** Where the tokens of sessions come from. */
export interface SessionTokens {
  /** Throws `sessionEnded` if there are no tokens for this session any more. */
  issue(holder: SessionHolder, sessionId: string): Promise<IssuedToken>;
}

/** Signs people in at an external issuer. */
export interface IssuerSignIn {
  issuerUrl: string;
  /** Where the browser goes, and what it keeps until it comes back. */
  begin(): Promise<{ url: string; sealed: string }>;
  /** `rejected`: not a sign-in that began with `sealed`, or the issuer does not accept the code. */
  redeem(answer: { authorizationCode: string; state: string }, sealed: string): Promise<RedeemedTokens | 'rejected'>;
  /** `rejected`: the issuer has ended the session there. */
  refresh(refreshToken: string): Promise<RedeemedTokens | 'rejected'>;
}

export interface RedeemedTokens {
  /** Where the tokens come from. They are sent to no other issuer. */
  issuerUrl: string;
  /** Verified. */
  accessToken: string;
  /** The ApiClient that the access token names. */
  clientId: string;
  /** Milliseconds since 1970: when the access token expires. */
  expiresAtMs: number;
  refreshToken: string | undefined;
}

export interface IssuedToken {
  token: string;
  /** Seconds. */
  expiresIn: number;
}

/** Who has signed in, and what it may do now. */
export interface SessionHolder {
  grant: Grant;
  /** Undefined: the user has signed in with a link. */
  clientKey: number | undefined;
}

/** The answer to a sign-in and to a renewal. */
export interface ConsoleSession extends IssuedToken {
  user: { key: number; userCode: string; name: string; edition: Edition };
  client: string;
  scopes: Scope[];
}

export interface OpenedSession {
  session: ConsoleSession;
  cookie: SessionCookie;
}

export function describeSession({ grant }: SessionHolder, issued: IssuedToken): ConsoleSession {
  const { key, userCode, name, edition } = grant.user;
  return {
    ...issued,
    user: { key, userCode, name, edition },
    client: grant.client,
    scopes: allScopes.filter((scope) => grant.scopes.has(scope)),
  };
}
