// Requests of tests of decisions, and the changes that they are about.

import { expect } from 'vitest';
import { matched } from '../match/heard.ts';
import type { TestClient } from '../support/access.ts';
import { create } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';

export const subscriptions = '/ws/rest/WebhookSubscription';

export interface Decision {
  event: number;
  eventTime: string;
  objectType: string;
  eventType: string;
  objectKey: number;
  subscription: number;
  subscribedObjectKey: number;
  isNotified: boolean;
  reason: string;
  message: string;
  evaluation: object | null;
  notification: number | null;
  notificationId: string | null;
}

export function decidedBy(service: TestService) {
  let changes = 0;

  async function decisionsAt(path: string, headers?: TestClient['headers']): Promise<Decision[]> {
    await matched(service);
    const answer = await service.get(`${subscriptions}/${path}`, headers);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  /** Of the last change to this object, for this subscription. */
  async function lastOf(subscription: number, objectKey: number): Promise<Decision> {
    const [last] = await decisionsAt(`${subscription}/decisions?objectKey=${objectKey}&limit=1`);
    return last!;
  }

  async function changeVessel(key: number, headers?: TestClient['headers']): Promise<void> {
    changes += 1;
    const answer = await service.put(`/ws/rest/Vessel/${key}`, { flag: `F${changes}` }, headers);
    expect(answer.status, answer.text).toBe(200);
  }
  async function createVessel(): Promise<number> {
    return (await create(service, 'Vessel', { vesselName: 'Decided' })).key;
  }

  return { decisionsAt, lastOf, changeVessel, createVessel };
}
