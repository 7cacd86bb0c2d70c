// What the service says about one change and one subscription.

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
}
