// What each tab of a subscription gets.

import type { Subscription } from '../api-subscription.ts';

export interface TabProps {
  subscription: Subscription;
  mayChange: boolean;
  onChanged(): void;
}
