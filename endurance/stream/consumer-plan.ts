// What a consumer is told, in a file that programs in any language can read.

export interface ConsumerPlan {
  /** The processes of the service. Each request goes to one of them. */
  origins: readonly string[];
  authorization: string;
  subscription: number;
  /** The file to which the consumer appends the id of each notification before it acknowledges it. */
  ledger: string;
  seed: number;
}
