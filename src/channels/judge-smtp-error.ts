// Whose matter it is that a mail was not sent: the subscriber's, whose address or mail was refused, or the operator's.

import type { Failed, OursToMend } from './send-result.ts';
import { cleanAnswer, cleanMessage, cut, type Hidden } from './server-answer.ts';
import { SendingEnded } from './smtp-connections.ts';

/** As nodemailer tells it; of a `response`, a mail server is the author. */
export interface SmtpError extends Error {
  readonly code?: string;
  /** The command that failed: `CONN`, `EHLO`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA` … */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

export function judgeSmtpError(error: SmtpError, hidden: Hidden): Failed | OursToMend {
  const refused = error instanceof SendingEnded ? undefined : whatIsRefused(error);
  if (refused === undefined || isServersTrouble(error)) return { kind: 'ours', reason: tellOperator(error, hidden) };
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

/** Undefined where what failed has nothing to do with the recipient or the mail. */
function whatIsRefused({ code, command, response, responseCode }: SmtpError): string | undefined {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return undefined;
  if (command === 'RCPT TO') return 'The mail server refused the address';
  if (command === 'DATA') return 'The mail server refused the mail';
  // RFC 1870 §6: the size of the mail is told with its sender. Without a response, nodemailer knew the limit itself.
  const isTooLarge = command === 'MAIL FROM' && (responseCode === 552 || response === undefined);
  return isTooLarge ? 'The mail is larger than the mail server takes' : undefined;
}

/**
 * It goes away (421), wants another login of us (530, 534, 535, 538 of RFC 4954 and 3207), or is itself in trouble (4.3.x of
 * RFC 3463: disk full, not accepting, not configured).
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
