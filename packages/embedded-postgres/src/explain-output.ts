// Turns the last output of a PostgreSQL program into an error that tells the operator what happened, where, and what to
// do.

import { EmbeddedServerError } from './embedded-server-error.ts';
import { explainFolderMessage } from './system-error.ts';

export function explainOutput(what: string, folder: string, lines: readonly string[]): EmbeddedServerError {
  const explanation =
    explainFolderMessage(folder, lines.join('\n')) ??
    `The embedded PostgreSQL does not work in the data folder ${folder}: ${what}. ` +
      'If the output of PostgreSQL below does not help, use a separate PostgreSQL server.';
  return new EmbeddedServerError([explanation, 'PostgreSQL said:', ...lines.map((line) => `  ${line}`)].join('\n'));
}
