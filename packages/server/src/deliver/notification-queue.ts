// Statements for the notifications of a subscription that ends or is replaced.

import type { NotificationQueue } from '../subscriptions/notification-queue.ts';
import { failPending, noteEnded } from './outcomes/outcome-table.ts';
import { selectIsNotified } from './queue/notification-table.ts';
import { insertCarryOver } from './resend/resend-table.ts';

/** How many notifications fail in the transaction itself. `end-pending-loop.ts` fails the rest. */
const failedAtOnce = 1_000;

export const notificationQueue: NotificationQueue = {
  selectIsNotified,
  end: (subscriptionKey, errorMessage) => [
    failPending({ subscriptionKey, errorMessage, withResends: true, rowsMax: failedAtOnce }),
    noteEnded(subscriptionKey, errorMessage),
  ],
  carryOver: (oldKey, newKey, reason) => [insertCarryOver(oldKey, newKey), noteEnded(oldKey, reason)],
};
