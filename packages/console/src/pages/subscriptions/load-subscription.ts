// Reads one subscription with what identifies its present state.

import { requestAnswer } from '../../service/request.ts';
import type { Subscription } from './api-subscription.ts';

export interface LoadedSubscription {
  subscription: Subscription;
  /** Sent back with changes, so that nobody's work is overwritten. */
  etag: string | null;
}

export async function loadSubscription(key: string | number, signal?: AbortSignal): Promise<LoadedSubscription> {
  const { value, headers } = await requestAnswer<Subscription>(`/WebhookSubscription/${key}`, { signal });
  return { subscription: value, etag: headers.get('etag') };
}
