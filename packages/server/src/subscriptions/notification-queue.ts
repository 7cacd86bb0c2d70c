// What subscriptions need from their notifications, which `deliver/` stores. The statements run in the transaction that
// changes the subscription.

import type { Statement } from '../database/database.ts';

export interface NotificationQueue {
  /**
   * Returns one row with `is_notified`: whether the subscription has ever had a notification, or one is being shaped.
   */
  selectIsNotified(subscriptionKey: number): Statement;
  /** Fails the pending notifications of an ended subscription: some at once, the rest in the background. */
  end(subscriptionKey: number, reason: string): Statement[];
  /** Fails the pending notifications in the background, and resends all failed ones to the new subscription. */
  carryOver(oldKey: number, newKey: number, reason: string): Statement[];
}
