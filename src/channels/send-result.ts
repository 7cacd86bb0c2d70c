// What became of one try to send something, over whatever channel.

export type SendResult = Delivered | Failed | OursToMend;

export interface Delivered {
  readonly kind: 'delivered';
  /** Of HTTP, or of the mail server; null where there is none. */
  readonly statusCode: number | null;
  /** The first bytes of what was answered, as text. */
  readonly answer: string | null;
}

export interface Failed {
  readonly kind: 'failed';
  /** For the subscriber to read: nothing in it tells of our network. */
  readonly reason: string;
  readonly statusCode: number | null;
  readonly answer: string | null;
  /** How long the receiver asks to be left alone (`Retry-After` of a 429 or 503). */
  readonly retryAfterMs: number | undefined;
}

/** A fault on our side, which says nothing about the receiver. */
export interface OursToMend {
  readonly kind: 'ours';
  /** For the operator's log. */
  readonly reason: string;
}
