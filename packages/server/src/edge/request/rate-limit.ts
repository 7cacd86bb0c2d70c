// Limits the number of requests per second for each address and each client.

import type { Clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { networkOf, RateBuckets } from '../../rate-buckets.ts';

export interface RateLimit {
  countAddress(address: string): void;
  countClient(clientId: string): void;
}

export function createRateLimit(requestsPerSecond: number, clock: Clock): RateLimit {
  const nothing = () => undefined;
  if (requestsPerSecond === 0) return { countAddress: nothing, countClient: nothing };
  const bucketsOf = () => new RateBuckets({ capacity: requestsPerSecond, refillMs: 1000, clock });
  const [addresses, clients] = [bucketsOf(), bucketsOf()];
  const refuse = (waitMs: number) => {
    if (waitMs > 0)
      throw new ApiError(
        'tooManyRequests',
        `At most ${requestsPerSecond} requests per second are allowed for one address or client.`,
      );
  };
  return {
    countAddress: (address) => refuse(addresses.take(networkOf(address))),
    countClient: (clientId) => refuse(clients.take(clientId)),
  };
}
