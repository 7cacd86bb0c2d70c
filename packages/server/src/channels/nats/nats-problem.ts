// What can be wrong with a NATS server before anything is published.

export type NatsProblemKind = 'no TLS' | 'not NATS' | 'closed' | 'too much' | 'too slow';

export class NatsProblem extends Error {
  readonly kind: NatsProblemKind;

  constructor(kind: NatsProblemKind) {
    super(kind);
    this.kind = kind;
  }
}
