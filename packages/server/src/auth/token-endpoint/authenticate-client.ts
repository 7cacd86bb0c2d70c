// Authenticates a client by its id and secret, for the token endpoint and for the console. Failures are throttled.

import type { Clock } from '../../clock.ts';
import { isSecretOf } from '../clients/client-secret.ts';
import { type Access, type ApiClient, databaseNowMs } from '../directory/access.ts';
import type { AccessDirectory } from '../directory/access-directory.ts';
import type { Encryption } from '../encryption/encryption.ts';
import type { TokenThrottle } from './token-throttle.ts';

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

export interface AuthenticationParts {
  directory: AccessDirectory;
  encryption: Encryption;
  throttle: TokenThrottle;
  clock: Clock;
}

export type Authentication =
  | { kind: 'authenticated'; client: ApiClient }
  | { kind: 'rejected' }
  /** This address has failed too often. */
  | { kind: 'limited'; waitMs: number };

/**
 * An unknown client, a disabled client and a wrong secret get the same result in the same time, so that callers cannot
 * find out which ids exist.
 */
export async function authenticateClient(
  parts: AuthenticationParts,
  credentials: ClientCredentials,
  address: string,
): Promise<Authentication> {
  const { throttle, directory } = parts;
  const waitMs = throttle.checkFailures(address, credentials.clientId);
  if (waitMs > 0) return { kind: 'limited', waitMs };
  const client =
    findClient(parts, credentials, await directory.current()) ??
    findClient(parts, credentials, await directory.reload());
  if (client) return { kind: 'authenticated', client };
  const failureWaitMs = throttle.countFailure(address, credentials.clientId);
  return failureWaitMs > 0 ? { kind: 'limited', waitMs: failureWaitMs } : { kind: 'rejected' };
}

function findClient(
  { encryption, clock }: AuthenticationParts,
  { clientId, clientSecret }: ClientCredentials,
  access: Access,
): ApiClient | undefined {
  const client = access.clients.get(clientId);
  const nowMs = databaseNowMs(access, clock);
  const isSecretRight = isSecretOf(client, { clientId, secret: clientSecret }, { encryption, nowMs });
  return isSecretRight && client?.isActive && client.user.isActive ? client : undefined;
}
