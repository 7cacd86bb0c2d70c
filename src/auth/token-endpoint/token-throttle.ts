// How often tokens may be asked for, in buckets that are refilled by the second: each address has one for all that it asks,
// and one for each client it names wrongly; each client has one for the tokens it gets. Wrong secrets never cost the
// client itself anything: a flood of them from one place does not lock the right secret out elsewhere. Bounded in memory.

import type { Clock } from '../../clock.ts';
import { networkOf, RateBuckets } from '../../rate-buckets.ts';
import { TokenError } from './token-error.ts';

export interface TokenThrottle {
  /** Before anything is looked at. */
  countRequest(address: string): void;
  /** Before the secret is compared: throws if this address has named the client wrongly too often. */
  checkFailures(address: string, clientId: string): void;
  countFailure(address: string, clientId: string): void;
  /** Of the right secret. */
  countToken(clientId: string): void;
}

/** Whoever does not know the secret needs fewer tries than whoever does. */
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
    countRequest: (address) => refuse(addresses.take(networkOf(address))),
    checkFailures: (address, clientId) => refuse(failures.waitMs(pair(address, clientId))),
    countFailure: (address, clientId) => refuse(failures.take(pair(address, clientId))),
    countToken: (clientId) => refuse(clients.take(clientId)),
  };
}

function refuse(waitMs: number): void {
  if (waitMs === 0) return;
  throw new TokenError('too_many_requests', 'Too many token requests. A token can be used until it expires.', {
    'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
  });
}
