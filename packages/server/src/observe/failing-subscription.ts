// How the attempts to deliver to one subscription went lately, as shown to operators.

export interface FailingSubscription {
  key: number;
  delivered: number;
  /** Failed attempts that others follow. */
  retry: number;
  failure: number;
}
