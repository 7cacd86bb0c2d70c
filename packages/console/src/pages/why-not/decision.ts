// What the service says about one change and one subscription.

import type { Evaluation } from '../../elements/evaluation-tree.tsx';

export interface Decision {
  event: number;
  eventTime: string;
  objectType: string;
  eventType: 'C' | 'U' | 'D';
  objectKey: number;
  subscription: number;
  subscriptionName: string | null;
  subscribedObjectKey: number | null;
  isNotified: boolean;
  reason: string;
  message: string;
  notification: number | null;
  /** What the script printed. */
  log: string[] | null;
  /** How the expression came to its value, if it has decided. */
  evaluation?: Evaluation | null;
}
