// How a command fails: as text for people, or with `--json` as JSON for programs.

import { FlaghoistError } from '@flaghoist/sdk';
import { CommanderError } from 'commander';
import { CommandError } from './command-error.ts';
import { explainServiceError } from './explain-service-error.ts';

export interface Failure {
  /** `usage`, `failed`, `internal`, or the code of an error of the service or the SDK. */
  code: string;
  message: string;
  violations?: readonly { path: string; message: string }[];
  /** The HTTP status. */
  status?: number;
  /** The id of the request in the log of the service. */
  requestId?: string;
  /** For people. Default: the message. */
  text?: string;
}

/** `describe`: for errors that only this program knows. */
export function failureOf(error: unknown, describe?: (error: unknown) => Failure | undefined): Failure {
  if (error instanceof CommanderError) return { code: 'usage', message: messageOf(error) };
  if (error instanceof CommandError) return { code: error.exitCode === 2 ? 'usage' : 'failed', message: error.message };
  if (error instanceof FlaghoistError) return ofService(error);
  const described = describe?.(error);
  if (described) return described;
  const detail = error instanceof Error ? error.stack : String(error);
  return { code: 'internal', message: String(error), text: `\nInternal error:\n${detail}\n\n` };
}

/** One line. */
export function renderFailure(failure: Failure, isJson: boolean): string {
  const { text, ...error } = failure;
  return isJson ? `${JSON.stringify({ error })}\n` : (text ?? `error: ${error.message}\n`);
}

/** commander adds a prefix and, on a line of its own, a suggestion. */
function messageOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'A command is missing. --help lists the commands.';
  return message
    .replace(/^error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function ofService(error: FlaghoistError): Failure {
  const { code, status, violations, requestId, message } = error;
  return {
    code,
    message,
    ...(violations.length > 0 && { violations }),
    ...(status > 0 && { status }),
    ...(requestId !== undefined && { requestId }),
    text: `error: ${explainServiceError(error)}\n`,
  };
}
