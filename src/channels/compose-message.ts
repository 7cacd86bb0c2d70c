// From a mail to the bytes that a mail server is given, and the envelope to give them in. Whatever stands in the mail: it has one
// recipient, and no text of it becomes a header or a part of its own.

import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mailbox } from '../config/mailbox.ts';
import { textFormats } from '../model/text-formats.ts';
import type { Mail, MailAttachment } from './mail.ts';
import type { Failed } from './send-result.ts';

export interface ComposedMessage {
  readonly kind: 'composed';
  readonly from: string;
  readonly to: string;
  /** With CRLF at the end of each line. */
  readonly bytes: Buffer;
}

export async function composeMessage(mail: Mail, from: Mailbox, now: Date): Promise<ComposedMessage | Failed> {
  if (!textFormats.email.fits(mail.to)) return notAnAddress;
  // The boundary between parts stays the random one of nodemailer: a text could hold one that can be foretold.
  const node = new MailComposer({
    // As objects: in a text, commas and groups would be read as further addresses.
    from: { name: from.name, address: from.address },
    to: { name: '', address: mail.to },
    subject: cleanLine(mail.subject).slice(0, subjectMax),
    messageId: messageId(mail.id, from.address),
    date: now,
    headers: { ...extraHeaders(mail.headers), ...automatic },
    text: cleanText(mail.text),
    html: cleanText(mail.html),
    attachments: mail.attachment ? [attach(mail.attachment)] : [],
    encoding: 'quoted-printable',
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  // Its domain is in ASCII here, which can make another name of it, or an address.
  const { to } = node.getEnvelope();
  const [recipient] = to;
  if (to.length !== 1 || !isPlainMailbox(recipient)) return notAnAddress;
  return { kind: 'composed', from: from.address, to: recipient, bytes: await node.build() };
}

const subjectMax = 200;

const notAnAddress: Failed = {
  kind: 'failed',
  reason: 'The address is not one plain e-mail address.',
  statusCode: null,
  answer: null,
  retryAfterMs: undefined,
};

function isPlainMailbox(address: string | undefined): address is string {
  return address !== undefined && textFormats.email.fits(address);
}

/** RFC 3834 §5, and the same for Exchange: nobody's absence is told to a machine. */
const automatic = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** None that says where a mail goes, whom it is from or how it is to be read. */
const extraHeader = /^(List-[A-Za-z-]+|X-[A-Za-z\d-]+|Precedence)$/;

function extraHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const extra = Object.entries(headers).filter(([name]) => extraHeader.test(name));
  return Object.fromEntries(extra.map(([name, value]) => [name, cleanLine(value)]));
}

/** The same for the same mail, so that a receiver can tell a repeat. */
function messageId(id: string, from: string): string {
  return `<${id.replace(/[^\w.-]/g, '-')}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}

function attach({ fileName, contentType, content }: MailAttachment) {
  return {
    filename: fileName.replace(/[^\w.-]/g, '-'),
    contentType: /^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/.test(contentType)
      ? contentType
      : 'application/octet-stream',
    content: Buffer.from(content),
  };
}

function cleanLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}/gu, '\uFFFD');
}
