// Limits token requests with token buckets that refill continuously. Each address has one bucket for all its requests,
// and one for failures with each client id; each client has one for the tokens it gets. Wrong secrets never count
// against the client: a flood of them from one address does not lock out the right secret elsewhere. Memory is bounded.

import type { Clock } from '../../clock.ts';
import { networkOf, RateBuckets } from '../../rate-buckets.ts';
import { TokenError } from './token-error.ts';

export interface TokenThrottle {
  /** Called before the request is examined. */
  countRequest(address: string): void;
  /** Called before the secret is compared. Throws if this address has failed too often for this client. */
  checkFailures(address: string, clientId: string): void;
  countFailure(address: string, clientId: string): void;
  /** Called after the secret was accepted. */
  countToken(clientId: string): void;
}

/** Failures are limited to this fraction of the requests: a client that knows its secret rarely fails. */
const failureShare = 4;

export function createTokenThrottle(requestsPerMinute: number, clock: Clock): TokenThrottle {
  const nothing = () => undefined;
  if (requestsPerMinute === 0)
    return { countRequest: nothing, checkFailures: nothing, countFailure: nothing, countToken: nothing };
  const bucketsOf = (capacity: number) => new RateBuckets({ capacity, refillMs: 60_000, clock });
  const [addresses, clients] = [bucketsOf(requestsPerMinute), bucketsOf(requestsPerMinute)];
  const failures = bucketsOf(Math.ceil(requestsPerMinute / failureShare));
  const pair = (address: string, clientId: string) => `${networkOf(address)} ${clientId}`;
  return {
    countRequest: (address) => tooManyRequests(addresses.take(networkOf(address))),
    checkFailures: (address, clientId) => tooManyRequests(failures.waitMs(pair(address, clientId))),
    countFailure: (address, clientId) => tooManyRequests(failures.take(pair(address, clientId))),
    countToken: (clientId) => tooManyRequests(clients.take(clientId)),
  };
}

function tooManyRequests(waitMs: number): void {
  if (waitMs === 0) return;
  throw new TokenError('too_many_requests', 'Too many token requests. A token can be used until it expires.', {
    'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
  });
}
