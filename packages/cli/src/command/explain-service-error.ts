// An error of the service, or on the way to it, in words for a terminal.

import type { FlaghoistError } from '@flaghoist/sdk';
import { printable } from '@flaghoist/source-text';

export function explainServiceError(error: FlaghoistError): string {
  const { violations, requestId } = error;
  const mistakes = violations.map(({ path, message }) => `\n- ${printable(path)}: ${printable(message)}`);
  const id = requestId === undefined || error.status < 500 ? '' : `\nThe log of the service has more: ${requestId}`;
  return `${reasonOf(error)}${mistakes.join('')}${id}`;
}

function reasonOf({ code, status, message, violations }: FlaghoistError): string {
  if (code === 'invalid_client')
    return 'The service does not accept this client id and secret. Check them, or run "flaghoist login" again.';
  if (code === 'network') return `The service cannot be reached: ${printable(message)}`;
  // The violations say the same, in full.
  if (violations.length > 0) return `The service answered ${status}:`;
  return printable(message);
}
