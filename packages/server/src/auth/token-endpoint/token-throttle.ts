// Limits token requests and sign-ins with token buckets that refill continuously. Each address has one bucket for all its
// requests, and one for failures with each client id; each client has one for the tokens it gets. Wrong secrets never
// count against the client: a flood of them from one address does not lock out the right secret elsewhere. Memory is
// bounded. Makes no decision: each function returns how many milliseconds to wait, 0 if the request may continue.

import type { Clock } from '../../clock.ts';
import { networkOf, RateBuckets } from '../../rate-buckets.ts';

export interface TokenThrottle {
  /** Called before the request is examined. */
  countRequest(address: string): number;
  /** Called before the secret is compared: whether this address has failed too often for this client. */
  checkFailures(address: string, clientId: string): number;
  countFailure(address: string, clientId: string): number;
  /** Called after the secret was accepted. */
  countToken(clientId: string): number;
}

/** Failures are limited to this fraction of the requests: a client that knows its secret rarely fails. */
const failureShare = 4;

export function createTokenThrottle(requestsPerMinute: number, clock: Clock): TokenThrottle {
  const never = () => 0;
  if (requestsPerMinute === 0)
    return { countRequest: never, checkFailures: never, countFailure: never, countToken: never };
  const bucketsOf = (capacity: number) => new RateBuckets({ capacity, refillMs: 60_000, clock });
  const [addresses, clients] = [bucketsOf(requestsPerMinute), bucketsOf(requestsPerMinute)];
  const failures = bucketsOf(Math.ceil(requestsPerMinute / failureShare));
  const pair = (address: string, clientId: string) => `${networkOf(address)} ${clientId}`;
  return {
    countRequest: (address) => addresses.take(networkOf(address)),
    checkFailures: (address, clientId) => failures.waitMs(pair(address, clientId)),
    countFailure: (address, clientId) => failures.take(pair(address, clientId)),
    countToken: (clientId) => clients.take(clientId),
  };
}

/** The value of `Retry-After`. */
export function retryAfter(waitMs: number): string {
  return String(Math.max(1, Math.ceil(waitMs / 1000)));
}
