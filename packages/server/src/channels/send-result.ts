// The result of one attempt to send something, over any channel.

export type SendResult = Delivered | Failed | OwnFault;

export interface Delivered {
  readonly kind: 'delivered';
  /** Status code of HTTP or of the mail server; null if there is none. */
  readonly statusCode: number | null;
  /** The first bytes of the response, as text. */
  readonly answer: string | null;
}

export interface Failed {
  readonly kind: 'failed';
  /** For the subscriber; contains no details of our network. */
  readonly reason: string;
  readonly statusCode: number | null;
  readonly answer: string | null;
  /** How long the receiver asks us to wait (`Retry-After` of a 429 or 503). */
  readonly retryAfterMs: number | undefined;
}

/** A fault on our side. It does not count against the receiver. */
export interface OwnFault {
  readonly kind: 'ownFault';
  /** For the operator's log. */
  readonly reason: string;
}

/** A failure without a response. */
export function failed(reason: string): Failed {
  return { kind: 'failed', reason, statusCode: null, answer: null, retryAfterMs: undefined };
}
