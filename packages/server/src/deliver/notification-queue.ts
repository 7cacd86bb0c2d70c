// Statements for the notifications of a subscription that ends or is replaced.

import type { NotificationQueue } from '../subscriptions/notification-queue.ts';
import { failedAtOnce, failPending, noteEnded } from './outcomes/outcome-table.ts';
import { selectIsNotified } from './queue/notification-table.ts';
import { insertCarryOver } from './resend/resend-table.ts';

export const notificationQueue: NotificationQueue = {
  selectIsNotified,
  end: (subscriptionKey, errorMessage) => [
    failPending({ subscriptionKey, errorMessage, withResends: true, rowsMax: failedAtOnce }),
    noteEnded(subscriptionKey, errorMessage),
  ],
  carryOver: (oldKey, newKey, reason) => [insertCarryOver(oldKey, newKey), noteEnded(oldKey, reason)],
};
