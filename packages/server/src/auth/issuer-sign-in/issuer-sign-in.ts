// Signs people in to the console at an external issuer. Decides nothing about access: `console-session/` does.

import type { OperatorPost } from '../../channels/http/operator-get.ts';
import type { Clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import type { Observe } from '../../observe/observation.ts';
import type { IssuerSignIn, RedeemedTokens } from '../console-session/console-parts.ts';
import type { Encryption } from '../encryption/encryption.ts';
import type { ExternalIssuer } from '../external-issuer/external-issuer.ts';
import type { SignInEndpoints } from '../external-issuer/issuer-keys.ts';
import { issuerAway, type KnownKeys } from '../external-issuer/known-keys.ts';
import { askIssuer, type ConsoleClient, type IssuerTokens } from './ask-issuer.ts';
import { authorizationUrl, newAuthorization, openAuthorization, sealAuthorization } from './authorization.ts';
import { isIdTokenFor } from './id-token.ts';

export interface IssuerSignInParts {
  issuerUrl: string;
  keys: KnownKeys;
  verifier: ExternalIssuer;
  post: OperatorPost;
  client: ConsoleClient;
  /** Undefined: the default, with the audience as `resource`. */
  scope: string | undefined;
  audience: string;
  redirectUrl: string;
  encryption: Encryption;
  clock: Clock;
  observe: Observe;
}

const defaultScope = 'openid offline_access';

export function createIssuerSignIn(parts: IssuerSignInParts): IssuerSignIn {
  const { client, redirectUrl, encryption, clock } = parts;
  const scope = parts.scope ?? defaultScope;
  const audience = audienceParameters(parts);
  return {
    issuerUrl: parts.issuerUrl,
    async begin() {
      const { authorizationUrl: endpoint } = await endpointsOf(parts);
      const authorization = newAuthorization(clock.now().getTime());
      const request = { clientId: client.clientId, redirectUrl, scope, audience };
      return {
        url: authorizationUrl(endpoint, request, authorization),
        sealed: sealAuthorization(authorization, encryption),
      };
    },
    async redeem({ authorizationCode, state }, sealed) {
      const authorization = openAuthorization(sealed, encryption, clock.now().getTime());
      if (authorization?.state !== state) return 'rejected';
      const tokens = await ask(parts, {
        grant_type: 'authorization_code',
        code: authorizationCode,
        redirect_uri: redirectUrl,
        code_verifier: authorization.verifier,
        ...audience,
      });
      if (tokens === 'rejected') return 'rejected';
      await checkIdToken(parts, tokens, { scope, nonce: authorization.nonce });
      return redeem(parts, tokens, undefined);
    },
    async refresh(refreshToken) {
      const tokens = await ask(parts, { grant_type: 'refresh_token', refresh_token: refreshToken, ...audience });
      // RFC 6749 §6: without a new refresh token, the old one stays valid.
      return tokens === 'rejected' ? 'rejected' : redeem(parts, tokens, refreshToken);
    },
  };
}

/** Auth0 knows `audience`, and others `resource` (RFC 8707), which Entra rejects: there, a scope says it. */
function audienceParameters({ scope, audience }: IssuerSignInParts): Record<string, string> {
  return scope === undefined ? { audience, resource: audience } : { audience };
}

async function redeem(
  parts: IssuerSignInParts,
  { accessToken, refreshToken }: IssuerTokens,
  previous: string | undefined,
): Promise<RedeemedTokens> {
  try {
    const { clientId, expiresAtMs } = await parts.verifier.verify(accessToken);
    const { issuerUrl } = parts;
    return { issuerUrl, accessToken, clientId, expiresAtMs, refreshToken: refreshToken ?? previous };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return fault(parts, `The issuer sent an access token that is not a JWT for the audience ${parts.audience}.`);
  }
}

async function endpointsOf(parts: IssuerSignInParts): Promise<SignInEndpoints> {
  const endpoints = await parts.keys.signInEndpoints();
  return endpoints ?? fault(parts, 'The metadata of the issuer has no authorization_endpoint and token_endpoint.');
}

async function ask(parts: IssuerSignInParts, parameters: Record<string, string>): Promise<IssuerTokens | 'rejected'> {
  const answer = await askIssuer(parts.post, await endpointsOf(parts), parts.client, parameters);
  switch (answer.kind) {
    case 'tokens':
      return answer.tokens;
    case 'rejected':
      return 'rejected';
    case 'fault':
      return fault(parts, answer.reason);
    case 'away':
      parts.observe({ kind: 'console.issuerFailed', reason: answer.reason });
      throw issuerAway();
  }
}

/** OpenID Connect Core §3.1.3.3: with the scope `openid`, there is an ID token. */
async function checkIdToken(
  parts: IssuerSignInParts,
  { idToken }: IssuerTokens,
  { scope, nonce }: { scope: string; nonce: string },
): Promise<void> {
  if (idToken === undefined && !scope.split(' ').includes('openid')) return;
  const isGood = idToken !== undefined && (await isIdTokenFor(idToken, { ...parts.client, nonce }, parts));
  if (!isGood) fault(parts, 'The issuer sent no ID token for this sign-in.');
}

function fault({ observe }: IssuerSignInParts, reason: string): never {
  observe({ kind: 'console.issuerFailed', reason });
  throw new ApiError(
    'issuerFault',
    'The sign-in at the issuer does not work as it is set up. The log of the service has the reason.',
  );
}
