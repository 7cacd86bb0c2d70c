// When the service tries again where a subscription has no policy. Its settings are for administrators only, but a dry
// run forecasts the attempts for everybody.

import { parseTime } from '../../../../elements/time.tsx';
import { request } from '../../../../service/request.ts';
import { useLoaded } from '../../../../service/use-loaded.ts';
import type { Recent } from '../result/use-recent.ts';

export interface RetryDefault {
  attempts: number;
  intervalSeconds: number;
}

/** As the service is delivered. It holds until a change is known that can be tried. */
const delivered: RetryDefault = { attempts: 5, intervalSeconds: 60 };

interface DryRun {
  retries: { attempts: number; nextAttemptDate: string | null; lastAttemptDate: string | null } | null;
}

export function useRetryDefault(recent: Recent | undefined): RetryDefault {
  const change = recent?.changes[0];
  const isKnown = change !== undefined;
  const loaded = useLoaded(
    async (signal) => {
      if (!change) return delivered;
      const subscription = { eventTypes: ['*.*'], url: 'https://receiver.example/' };
      const { subscribedObjectKey: objectKey, id: event } = change;
      const body = { subscription, event, objectKey };
      return readDefault(await request<DryRun>('/WebhookSubscription/test', { method: 'POST', body, signal }));
    },
    [isKnown],
  );
  return loaded.value ?? delivered;
}

/** Without a policy, all intervals are the same. */
function readDefault({ retries }: DryRun): RetryDefault {
  const { attempts = delivered.attempts, nextAttemptDate = null, lastAttemptDate = null } = retries ?? {};
  if (nextAttemptDate === null || lastAttemptDate === null || attempts < 3) return { ...delivered, attempts };
  const seconds = (parseTime(lastAttemptDate).getTime() - parseTime(nextAttemptDate).getTime()) / 1_000;
  return { attempts, intervalSeconds: seconds / (attempts - 2) };
}
