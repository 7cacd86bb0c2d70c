// Composes the bytes and the SMTP envelope of a mail. Whatever the mail contains, it has exactly one recipient, and
// none of its text becomes a header or a separate part.

import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mailbox } from '../../config/mailbox.ts';
import { textFormats } from '../../model/text-formats.ts';
import { type Failed, failed } from '../send-result.ts';
import type { Mail, MailAttachment } from './mail.ts';

export interface ComposedMessage {
  readonly kind: 'composed';
  readonly from: string;
  readonly to: string;
  /** Every line ends with CRLF. */
  readonly bytes: Buffer;
}

export async function composeMessage(mail: Mail, from: Mailbox, now: Date): Promise<ComposedMessage | Failed> {
  if (!textFormats.email.fits(mail.to)) return notAnAddress;
  // The boundary between parts is nodemailer's random one: a text could contain a predictable one.
  const node = new MailComposer({
    // As objects: in a string, commas and groups would be parsed as additional addresses.
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
  // The envelope has the domain in ASCII. The conversion may have produced a different name or an IP address.
  const { to } = node.getEnvelope();
  const [recipient] = to;
  if (to.length !== 1 || recipient === undefined || !textFormats.email.fits(recipient)) return notAnAddress;
  return { kind: 'composed', from: from.address, to: recipient, bytes: await node.build() };
}

const subjectMax = 200;

const notAnAddress = failed('The address is not one plain e-mail address.');

/** RFC 3834 §5, and the equivalent header for Exchange: both suppress automatic replies. */
const automatic = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** Excludes headers that determine the recipients, the sender or the format of a mail. */
const extraHeader = /^(List-[A-Za-z-]+|X-[A-Za-z\d-]+|Precedence)$/;

function extraHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const extra = Object.entries(headers).filter(([name]) => extraHeader.test(name));
  return Object.fromEntries(extra.map(([name, value]) => [name, cleanLine(value)]));
}

/** The same mail always has the same Message-ID, so that a receiver can detect a duplicate. */
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
