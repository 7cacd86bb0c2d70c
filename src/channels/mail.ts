// A mail as it is composed: to one address, as text and as HTML.

import type { SendResult } from './send-result.ts';

export interface Mail {
  /** Stays the same when it is sent again: the Message-ID is made from it. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachment: MailAttachment | undefined;
  /** Further headers by name, like `List-Id`. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface MailAttachment {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: string;
}

export interface MailChannel {
  send(mail: Mail): Promise<SendResult>;
  close(): Promise<void>;
}
