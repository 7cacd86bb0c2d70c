// Turns the last words of a PostgreSQL program into an error that tells the operator what happened, where, and what to do.

import { OperatorError } from '../../errors.ts';
import { explainFolderMessage } from './system-error.ts';

export function explainOutput(what: string, folder: string, lines: readonly string[]): OperatorError {
  const explanation =
    explainFolderMessage(folder, lines.join('\n')) ??
    `The embedded PostgreSQL does not work in the data folder ${folder}: ${what}. ` +
      'If its own words below do not help, set DATABASE_URL to a PostgreSQL server instead.';
  return new OperatorError([explanation, 'PostgreSQL said:', ...lines.map((line) => `  ${line}`)].join('\n'));
}
