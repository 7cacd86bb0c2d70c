// A mail before it is composed: to one address, as text and as HTML. Also the interface of the mail channels.

import type { SendResult } from '../send-result.ts';

export interface Mail {
  /** Stays the same when the mail is sent again. The Message-ID is derived from it. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachment: MailAttachment | undefined;
  /** Additional headers by name, for example `List-Id`. */
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
