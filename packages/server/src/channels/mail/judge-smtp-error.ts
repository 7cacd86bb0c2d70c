// Judges who has to act when a mail was not sent: the subscriber, if the address or the mail was rejected, or the
// operator.

import type { Failed, OwnFault } from '../send-result.ts';
import { cleanAnswer, cleanMessage, cut, type Hidden } from './server-answer.ts';
import { SendingEnded } from './smtp-connections.ts';

/** An error of nodemailer. `response` is text from the mail server. */
export interface SmtpError extends Error {
  readonly code?: string;
  /** The command that failed: `CONN`, `EHLO`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA` … */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

export function judgeSmtpError(error: SmtpError, hidden: Hidden): Failed | OwnFault {
  const refused = error instanceof SendingEnded ? undefined : whatIsRefused(error);
  if (refused === undefined || isServersTrouble(error))
    return { kind: 'ownFault', reason: tellOperator(error, hidden) };
  const { response, responseCode } = error;
  const answer = response === undefined ? null : cleanAnswer(response, hidden);
  return {
    kind: 'failed',
    reason: answer === null ? `${refused}.` : `${refused}: ${cut(answer, reasonMax)}`,
    statusCode: responseCode ?? null,
    answer,
    retryAfterMs: undefined,
  };
}

const reasonMax = 300;

/** Undefined if the failure is unrelated to the recipient and the mail. */
function whatIsRefused({ code, command, response, responseCode }: SmtpError): string | undefined {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return undefined;
  if (command === 'RCPT TO') return 'The mail server refused the address';
  if (command === 'DATA') return 'The mail server refused the mail';
  // RFC 1870 §6: MAIL FROM declares the size of the mail. Without a response, nodemailer itself checked the limit.
  const isTooLarge = command === 'MAIL FROM' && (responseCode === 552 || response === undefined);
  return isTooLarge ? 'The mail is larger than the mail server takes' : undefined;
}

/**
 * The server closes the connection (421) or requires a different login (530, 534, 535, 538 of RFC 4954 and 3207). Or it
 * has a problem of its own (4.3.x of RFC 3463: disk full, not accepting, not configured).
 */
function isServersTrouble({ response = '', responseCode = 0 }: SmtpError): boolean {
  return [421, 530, 534, 535, 538].includes(responseCode) || /^4\d\d[ -]4\.3\.\d/.test(response);
}

function tellOperator(error: SmtpError, { secrets }: Hidden): string {
  const told = cut(cleanMessage(error.message, secrets), reasonMax);
  return `The mail server could not be used (${stepOf(error)}): ${told}`;
}

function stepOf({ code, command = '' }: SmtpError): string {
  if (code === 'ETLS' || command === 'STARTTLS') return 'TLS';
  if (code === 'EAUTH' || command.startsWith('AUTH')) return 'login';
  if (command === '' || command === 'API' || command === 'CONN') return 'connection';
  return command;
}
