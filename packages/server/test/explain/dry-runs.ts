// Dry runs of subscriptions, for tests.

import { expect } from 'vitest';
import type { TestClient } from '../support/access.ts';
import type { Shown } from '../support/fleet.ts';
import type { Answer, TestService } from '../support/test-service.ts';

export const dryRunPath = '/ws/rest/WebhookSubscription/test';

export function dryRunsOf(service: TestService) {
  const tryOut = (body: unknown, headers?: TestClient['headers']): Promise<Answer> =>
    service.post(dryRunPath, body, headers);
  /** Expects it to be accepted. */
  const tried = async (body: unknown, headers?: TestClient['headers']): Promise<Shown> => {
    const answer = await tryOut(body, headers);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return { tryOut, tried };
}
