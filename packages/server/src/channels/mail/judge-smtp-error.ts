// Judges who has to act when a mail was not sent: the subscriber, if the address or the mail was rejected, or the
// operator. Also cleans the response of the server for display.

import { isIP } from 'node:net';
import { printable } from '@flaghoist/source-text';
import type { Failed, OwnFault } from '../send-result.ts';
import { SendingEnded } from './smtp-connections.ts';

/** An error of nodemailer. `response` is text from the mail server. */
export interface SmtpError extends Error {
  readonly code?: string;
  /** The command that failed: `CONN`, `EHLO`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA` … */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

export interface Hidden {
  /** Our own host names. */
  readonly names: readonly string[];
  readonly secrets: readonly string[];
}

const answerMax = 1_024;
const reasonMax = 300;

export function judgeSmtpError(error: SmtpError, hidden: Hidden): Failed | OwnFault {
  const rejection = error instanceof SendingEnded ? undefined : rejectionOf(error);
  if (rejection === undefined || isProblemOfServer(error))
    return { kind: 'ownFault', reason: reasonForOperator(error, hidden) };
  const { response, responseCode } = error;
  const answer = response === undefined ? null : cleanAnswer(response, hidden);
  return {
    kind: 'failed',
    reason: answer === null ? `${rejection}.` : `${rejection}: ${cut(answer, reasonMax)}`,
    statusCode: responseCode ?? null,
    answer,
    retryAfterMs: undefined,
  };
}

/** Undefined if the failure is unrelated to the recipient and the mail. */
function rejectionOf({ code, command, response, responseCode }: SmtpError): string | undefined {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return undefined;
  if (command === 'RCPT TO') return 'The mail server rejected the address';
  if (command === 'DATA') return 'The mail server rejected the mail';
  // RFC 1870 §6: MAIL FROM declares the size of the mail. Without a response, nodemailer itself checked the limit.
  const isTooLarge = command === 'MAIL FROM' && (responseCode === 552 || response === undefined);
  return isTooLarge ? 'The mail is larger than the mail server accepts' : undefined;
}

/**
 * The server closes the connection (421) or requires a different login (530, 534, 535, 538 of RFC 4954 and 3207). Or it
 * has a problem of its own (4.3.x of RFC 3463: disk full, not accepting, not configured).
 */
function isProblemOfServer({ response = '', responseCode = 0 }: SmtpError): boolean {
  return [421, 530, 534, 535, 538].includes(responseCode) || /^4\d\d[ -]4\.3\.\d/.test(response);
}

function reasonForOperator(error: SmtpError, { secrets }: Hidden): string {
  const message = cut(cleanMessage(error.message, secrets), reasonMax);
  return `The mail server could not be used (${stepOf(error)}): ${message}`;
}

function stepOf({ code, command = '' }: SmtpError): string {
  if (code === 'ETLS' || command === 'STARTTLS') return 'TLS';
  if (code === 'EAUTH' || command.startsWith('AUTH')) return 'login';
  if (command === '' || command === 'API' || command === 'CONN') return 'connection';
  return command;
}

/** One line, without invisible characters, and without details of our network or our login. */
export function cleanAnswer(answer: string, { names, secrets }: Hidden): string {
  return cut(hideNetwork(cleanMessage(answer, secrets), names), answerMax);
}

/** For the operator, who may see details of the network. */
function cleanMessage(message: string, secrets: readonly string[]): string {
  const [first = '', ...further] = message.split(/\r?\n/);
  // Each line repeats the code: `550-5.1.1 No such user`.
  const line = [first, ...further.map((text) => text.replace(/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3} )?/, ''))].join(' ');
  const plain = line.replace(/^(\d{3})-/, '$1 ');
  return printable(secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), plain));
}

/** Never cuts inside a surrogate pair. */
function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
}

function hideNetwork(text: string, names: readonly string[]): string {
  const withoutAddresses = text
    .replace(/(?<![\d.])\d{1,3}(\.\d{1,3}){3}(?![\d.]*\d)/g, '…')
    .replace(/[\da-f:]*:[\da-f]*:[\da-f:]*/gi, hideAddress);
  return names.reduce((hidden, name) => hidden.replaceAll(wholeWord(name), '…'), withoutAddresses);
}

/** A colon at either end may belong to the sentence. */
function hideAddress(word: string): string {
  const [, before = '', address = '', after = ''] = /^(:(?!:))?(.*?)((?<!:):)?$/.exec(word) ?? [];
  return isIP(address) === 0 ? word : `${before}…${after}`;
}

function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\w.-])${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'gi');
}
